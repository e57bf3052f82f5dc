(() => {
function make(tag, { text, on = {}, ...properties } = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.includes("-") || name === "role" || name === "for") node.setAttribute(name, value);
    else node[name] = value;
  }
  if (text !== undefined) node.textContent = text;
  for (const [event, listener] of Object.entries(on)) node.addEventListener(event, listener);
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}
function money(amount, currency, language) {
  const digits = Number.isInteger(amount) ? 0 : 2;
  const format = new Intl.NumberFormat(language === "fr" ? "fr" : "en", { useGrouping: false, minimumFractionDigits: digits });
  return `\u2066${format.format(amount)} ${currency}\u2069`;
}
function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}
function button(text, work, properties = {}) {
  const node = make("button", { type: "button", text, ...properties });
  node.addEventListener("click", async () => {
    if (node.ariaDisabled === "true") return;
    node.ariaDisabled = "true";
    try {
      await work(node);
    } finally {
      node.ariaDisabled = null;
    }
  });
  return node;
}
function address(url, { web = false } = {}) {
  try {
    const whole = new URL(url, web && url ? location.href : undefined);
    return ["http:", "https:", ...(web ? [] : ["tel:", "mailto:"])].includes(whole.protocol) ? whole.href : null;
  } catch {
    return null;
  }
}
function unique() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const ATTEMPTS = 3;
const TURN_MILLISECONDS = 35_000;
const CALL_MILLISECONDS = 15_000;
const STEPS_MILLISECONDS = 5_000;
class ApiError extends Error {
  constructor(message, { status = 0, code = "", retryAfter = 0 } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

class Api {
  /**
   * @param {string} base address of the API, without a slash at its end; "" is the page's own
   */
  constructor(base) {
    this.base = base;
    this.key = `shopping-agent.session ${base}`;
  }

  get token() {
    try {
      return localStorage.getItem(this.key) ?? this.unkept ?? null;
    } catch {
      return this.unkept ?? null;
    }
  }

  set token(token) {
    this.unkept = token;
    try {
      if (token) localStorage.setItem(this.key, token);
      else localStorage.removeItem(this.key);
    } catch { /* see above */ }
  }
  async session() {
    if (this.token) return;
    this.beginning ??= this.again(() => this.send("POST", "/api/v1/sessions", undefined, { milliseconds: CALL_MILLISECONDS }));
    try {
      const { token } = await this.beginning;
      if (!this.token) this.token = token;
    } finally {
      this.beginning = null;
    }
  }
  async call(method, path, body) {
    await this.session();
    const headers = method === "GET" ? {} : { "idempotency-key": unique() };
    return this.again((attempt) => this.send(method, path, body, { headers, milliseconds: CALL_MILLISECONDS }, attempt));
  }
  async turn(request) {
    await this.session();
    return this.again((attempt) => this.send("POST", "/api/v1/ai/cart", request, { milliseconds: TURN_MILLISECONDS }, attempt));
  }
  async steps(turnId, after) {
    if (!this.token) return { steps: [], done: false };
    try {
      const path = `/api/v1/ai/turns/${encodeURIComponent(turnId)}/steps?after=${after}`;
      return await this.send("GET", path, undefined, { milliseconds: STEPS_MILLISECONDS });
    } catch {
      return null;
    }
  }
  async store(locale) {
    try {
      const path = `/api/v1/store?locale=${encodeURIComponent(String(locale).slice(0, 35))}`;
      return await this.send("GET", path, undefined, { milliseconds: CALL_MILLISECONDS });
    } catch {
      return null;
    }
  }

  async again(send) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send(attempt);
      } catch (error) {
        const passing = error.status === 0 || error.status === 502 || error.status === 504 || error.code.endsWith("in_progress");
        if (!passing || attempt === ATTEMPTS) throw error;
        await pause(Math.max(700 * 2 ** attempt, error.retryAfter * 1000));
      }
    }
  }

  async send(method, path, body, { headers = {}, milliseconds, renewed = false }) {
    const token = this.token;
    const all = { ...headers };
    if (token) all.authorization = `Bearer ${token}`;
    if (body !== undefined) all["content-type"] = "application/json";
    let reply;
    try {
      reply = await fetch(this.base + path, {
        method, headers: all, body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(milliseconds), credentials: "omit",
      });
    } catch (error) {
      throw new ApiError(String(error));
    }
    const data = await reply.json().catch(() => ({}));
    if (reply.status === 401 && token && !renewed) {
      if (this.token === token) this.token = null;
      await this.session();
      return this.send(method, path, body, { headers, milliseconds, renewed: true });
    }
    if (!reply.ok) {
      const retryAfter = Number(reply.headers.get("retry-after")) || 0;
      throw new ApiError(String(data.detail ?? data.message ?? ""), { status: reply.status, code: String(data.code ?? ""), retryAfter });
    }
    return data;
  }
}
const COLOURS = {
  citrus: "#f2b632", floral: "#e58fa9", fruity: "#e8604c", woody: "#8b6a4a", amber: "#c9762b", gourmand: "#a9633f",
  aromatic: "#7fa06a", aquatic: "#58a6c7", fresh: "#7cc7b2", spicy: "#b3472e", leather: "#5e4030", chypre: "#6f7d4f",
  fougere: "#5f8f74", musk: "#c9bfb4", green: "#77a84f", powdery: "#c9a3bf", oud: "#4c3326",
};
const NAMESPACE = "http://www.w3.org/2000/svg";

function shape(tag, attributes) {
  const node = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

function number(text) {
  let hash = 2166136261;
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0), 16777619) >>> 0;
  return hash;
}
function artwork(product) {
  if (!/^https?:/i.test(product.imageUrl ?? "")) return drawing(product);
  const image = document.createElement("img");
  image.alt = "";
  image.loading = "lazy";
  image.referrerPolicy = "no-referrer";
  image.addEventListener("error", () => image.replaceWith(drawing(product)));
  image.src = product.imageUrl;
  return image;
}

function drawing(product) {
  const seed = number(product.variantOf || product.id);
  const [first, second] = [product.families[0], product.families[1] || product.families[0]].map((family) => COLOURS[family] || "#b89b7a");
  const width = 46 + (seed % 22);
  const corner = 3 + ((seed >>> 5) % 18);
  const size = Math.min(Math.max(product.sizeMl || 75, 30), 120);
  const height = 56 + (size - 30) * 0.28;
  const top = 116 - height;
  const level = top + height * 0.28;
  const bottle = shape("svg", { viewBox: "0 0 160 130", "aria-hidden": "true", focusable: "false" });
  bottle.append(
    shape("circle", { cx: 80, cy: 70, r: 58, fill: second, opacity: 0.16 }),
    shape("rect", { x: 70, y: top - 22, width: 20, height: 14, rx: 3, fill: "#8a6d4d" }),
    shape("rect", { x: 74, y: top - 9, width: 12, height: 9, fill: "#c7ae8d" }),
    shape("rect", { x: 80 - width / 2, y: top, width, height, rx: corner, fill: "#fff", opacity: 0.85 }),
    shape("rect", { x: 80 - width / 2 + 4, y: level, width: width - 8, height: top + height - level - 4, rx: Math.max(corner - 3, 2), fill: first }),
    shape("rect", { x: 80 - width / 2, y: top, width, height, rx: corner, fill: "none", stroke: "#8a6d4d", "stroke-width": 1.5 }),
    shape("rect", { x: 80 - width / 4, y: top + height * 0.48, width: width / 2, height: height * 0.26, rx: 2, fill: "#fff", opacity: 0.9 }),
  );
  return bottle;
}
function stock(product, texts) {
  if (!product.inStock) return make("p", { className: "small bad", text: texts.outOfStock });
  if (product.stock !== null && product.stock <= 2) return make("p", { className: "small bad", text: fill(texts.few, { n: product.stock }) });
  return make("p", { className: "small good", text: texts.inStock });
}

function price(product, texts, language) {
  const now = make("p", { className: "price", text: money(product.price, product.currency, language) });
  if (product.compareAtPrice) {
    const before = money(product.compareAtPrice, product.currency, language);
    now.append(make("del", {}, make("span", { className: "hidden", text: fill(texts.was, { price: "" }) }), before));
  }
  return now;
}
function name(product, page) {
  const link = address(page ? fill(page, { id: encodeURIComponent(product.id) }) : product.url, { web: true });
  const outside = link && new URL(link).origin !== location.origin ? { target: "_blank", rel: "noopener" } : {};
  return make("h3", { dir: "auto" }, link ? make("a", { href: link, text: product.name, ...outside }) : product.name);
}

function why(product, texts) {
  if (!product.reasons?.length) return null;
  const reasons = product.reasons.map((reason) => make("li", { text: reason, dir: "auto" }));
  return make("details", {}, make("summary", { text: texts.why }), make("ul", {}, ...reasons));
}
function productCard(product, { texts, language, page, add }) {
  const size = product.sizeMl && !product.name.includes(String(product.sizeMl)) ? ` · ${product.sizeMl} ml` : "";
  return make("li", { className: "card" },
    make("div", { className: "picture" }, artwork(product)),
    make("div", {}, name(product, page), make("p", { className: "small", dir: "auto" }, make("bdi", { text: product.brand }), size)),
    price(product, texts, language), stock(product, texts),
    why(product, texts),
    make("div", { className: "row" }, button(texts.add, () => add(product), {
      className: "main", "aria-label": fill(texts.addNamed, { name: product.name }), disabled: !product.inStock,
    })));
}
function cartLine(line, currency, { texts, language, set }) {
  const step = (label, sign, quantity) => button(sign, () => set(line, quantity), { "aria-label": fill(label, { name: line.name }) });
  return make("li", { className: "line" },
    make("h3", { text: line.name, dir: "auto" }), make("span", { className: "price", text: money(line.lineTotal, currency, language) }),
    make("div", { className: "row" },
      step(texts.less, "−", line.quantity - 1),
      make("span", {}, make("span", { className: "hidden", text: `${texts.quantity} ` }), String(line.quantity)),
      step(texts.more, "+", line.quantity + 1), step(texts.remove, "×", 0),
      line.notice && texts[line.notice] ? make("span", { className: "small bad", text: texts[line.notice] }) : null));
}
const FORGOTTEN = "forgotten";

class Cart {
  constructor(widget) {
    this.widget = widget;
    this.content = null;
    this.undoable = false;
    this.drawer = make("section", { className: "cart", hidden: true, tabIndex: -1 });
  }
  listen() {
    try { this.channel = new BroadcastChannel(`shopping-agent.cart ${this.widget.api.base}`); } catch { return; }
    this.channel.onmessage = ({ data }) => (data === FORGOTTEN ? this.widget.forgotten() : this.load());
  }

  deafen() {
    this.channel?.close();
    this.channel = null;
  }

  get count() {
    return this.content?.count ?? 0;
  }
  show(content, { undoable = this.undoable, changed = false } = {}) {
    if (this.content && this.content.version > content.version && this.token === this.widget.api.token) return;
    this.token = this.widget.api.token;
    this.content = content;
    this.undoable = undoable && content !== null;
    if (!this.undoable) this.widget.chat.dropUndo();
    this.draw();
    this.widget.announce(content, changed);
    if (changed) this.channel?.postMessage(content.version);
  }

  async load() {
    if (!this.widget.api.token) {
      if (this.content) this.empty();
      this.widget.announce(null, false);
      return;
    }
    try {
      this.show(await this.widget.api.call("GET", "/api/v1/cart"), { undoable: false });
    } catch { /* the next change says what is wrong */ }
  }

  async change(method, path, body, { undoable = true } = {}) {
    try {
      this.show(await this.widget.api.call(method, path, body), { undoable, changed: true });
      this.widget.say(this.widget.texts.changed);
      return true;
    } catch (error) {
      this.widget.fail(error);
      return false;
    }
  }

  add(product) {
    return this.change("POST", "/api/v1/cart/items", { productId: product.id, quantity: 1 });
  }

  set(line, quantity) {
    return this.change("PATCH", `/api/v1/cart/items/${encodeURIComponent(line.productId)}`, { quantity });
  }

  undo() {
    return this.change("POST", "/api/v1/cart/undo", undefined, { undoable: false });
  }

  async checkOut() {
    try {
      const { url } = await this.widget.api.call("POST", "/api/v1/cart/checkout");
      if (address(url)) location.assign(url);
    } catch (error) {
      this.widget.fail(error);
      await this.load();
    }
  }

  empty() {
    this.content = null;
    this.undoable = this.sure = false;
    this.draw();
  }

  async forget() {
    if (!this.sure) {
      this.sure = true;
      this.draw();
      this.drawer.querySelector(".forget").focus();
      return;
    }
    try {
      if (this.widget.api.token) await this.widget.api.call("DELETE", "/api/v1/sessions/current");
      this.widget.api.token = null;
      this.widget.forgotten();
      this.channel?.postMessage(FORGOTTEN);
    } catch (error) {
      this.widget.fail(error);
    }
  }

  draw() {
    const { texts, language } = this.widget;
    const focused = this.drawer.getRootNode().activeElement?.getAttribute?.("aria-label");
    const cart = this.content;
    const lines = cart?.items ?? [];
    const handed = { texts, language, set: (line, quantity) => this.set(line, quantity) };
    this.drawer.setAttribute("aria-label", texts.cart);
    this.drawer.replaceChildren(
      ...(lines.length ? [
        make("ul", { className: "cards" }, ...lines.map((line) => cartLine(line, cart.currency, handed))),
        make("div", { className: "foot" },
          make("p", { className: "total" }, make("span", {}, `${texts.total} `, make("span", { className: "small", text: texts.beforeDelivery })), make("span", { className: "sum", text: money(cart.total, cart.currency, language) })),
          button(texts.checkout, () => this.checkOut(), { className: "main checkout" })),
      ] : [make("p", { text: texts.cartEmpty })]),
      ...(this.undoable ? [button(texts.undo, () => this.undo(), { className: "undo" })] : []),
      button(this.sure ? texts.forgetSure : texts.forget, () => this.forget(), { className: "forget small" }),
    );
    if (focused && !this.drawer.hidden) {
      const again = [...this.drawer.querySelectorAll("button")].find((one) => one.getAttribute("aria-label") === focused);
      (again ?? this.drawer).focus();
    }
  }
  label() {
    return fill(this.widget.texts.cartOpen, { n: this.count });
  }
}
function languageOf(locale, known) {
  const tag = String(locale || "").toLowerCase().replaceAll("_", "-");
  const latin = tag.startsWith("ary-latn") ? "ary-latn" : tag.split("-")[0];
  return known.includes(latin) ? latin : "en";
}
const fromRight = (language) => language === "ar" || language === "ary";
const htmlLanguage = (language) => (language === "ary-latn" ? "ary-Latn" : language);
function isolated(text, names) {
  const known = names.filter(Boolean).sort((one, other) => other.length - one.length).map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const apart = new RegExp([...known, "\\d[\\d.,]*[ \u00a0][A-Z]{3}(?![A-Za-z])"].join("|"), "g");
  const nodes = [];
  let end = 0;
  for (const found of text.matchAll(apart)) {
    nodes.push(text.slice(end, found.index), make("bdi", { text: found[0], className: names.includes(found[0]) ? "" : "amount" }));
    end = found.index + found[0].length;
  }
  return [...nodes, text.slice(end)];
}
function kept(place) {
  try { return JSON.parse(sessionStorage.getItem(place)); } catch { return null; }
}

function keep(place, value) {
  try { sessionStorage.setItem(place, JSON.stringify(value)); } catch { /* the page remembers */ }
}
const FIRST = 350;
const LONGEST = 1600;
const GROWTH = 1.35;
async function follow(api, turnId, running, show) {
  let after = 0;
  let failures = 0;
  for (let wait = FIRST; running(); wait = Math.min(wait * GROWTH, LONGEST)) {
    await pause(wait);
    if (!running()) return;
    const reply = await api.steps(turnId, after);
    if (!running()) return;
    if (reply === null) {
      failures += 1;
      if (failures === 3) return;
      continue;
    }
    const last = reply.steps.at(-1);
    if (last) {
      after = last.seq;
      show(last.label);
    }
    if (reply.done) return;
  }
}
const KEPT = 30;
const FRESH_MILLISECONDS = 10 * 60_000;

class Chat {
  constructor(widget) {
    this.widget = widget;
    this.busy = false;
    this.began = 0;
    this.log = make("div", { className: "log", role: "log", tabIndex: 0, "aria-live": "polite" });
    this.progress = make("p", { className: "progress", role: "status" });
    this.chips = make("div", { className: "chips row", role: "group", hidden: true });
    this.message = make("textarea", { id: "message", rows: 2, maxLength: 2000, dir: "auto", required: true });
    this.sendButton = make("button", { type: "submit", className: "main" });
    this.label = make("label", { className: "hidden", for: "message" });
    this.form = make("form", { on: { submit: (event) => this.submit(event) } }, this.label, this.message, this.sendButton);
    this.message.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) this.submit(event);
    });
    this.restore();
  }

  draw() {
    const { texts } = this.widget;
    this.log.setAttribute("aria-label", texts.log);
    this.chips.setAttribute("aria-label", texts.suggestions);
    this.label.textContent = texts.message;
    this.message.placeholder = texts.hint;
    this.sendButton.textContent = texts.send;
  }

  submit(event) {
    event.preventDefault();
    const message = this.message.value.trim();
    if (!message || this.busy) return;
    this.message.value = "";
    this.ask(message);
  }
  async ask(message) {
    if (this.busy) return;
    this.showChips([]);
    this.say("me", message);
    await this.run({ message, turnId: unique(), locale: this.widget.locale, context: this.widget.context });
  }

  async run(request) {
    const { began } = this;
    this.busy = true;
    this.pending(request);
    this.sendButton.ariaDisabled = "true";
    this.show(this.widget.texts.thinking);
    follow(this.widget.api, request.turnId, () => this.busy, (label) => this.show(label));
    try {
      const reply = await this.widget.api.turn(request);
      if (began !== this.began) return;
      this.pending(null);
      this.answer(reply);
    } catch (error) {
      if (began !== this.began) return;
      if (error.status >= 400 && error.status < 500 && error.status !== 429) this.pending(null);
      this.refuse(error, request);
    } finally {
      this.busy = false;
      this.sendButton.ariaDisabled = null;
      this.show("");
    }
  }

  show(label) {
    this.progress.textContent = label;
    this.progress.classList.toggle("busy", Boolean(label));
  }

  answer(reply) {
    const names = [...reply.products, ...(reply.cart?.items ?? [])].map((named) => named.name);
    const undoable = reply.actions.some((action) => action.undo);
    if (undoable) this.dropUndo();
    const bubble = this.say("shop", reply.answer, { names, products: reply.products });
    const acts = this.acts(reply);
    if (acts.length) bubble.after(make("div", { className: "row" }, ...acts));
    const changed = reply.actions.some((action) => action.type !== "checkout" && action.type !== "contact");
    this.widget.cart.show(reply.cart, { undoable: undoable || (this.widget.cart.undoable && !changed), changed });
    this.showChips([...reply.choices.map((choice) => choice.label), ...reply.suggestions]);
    bubble.scrollIntoView({ block: "nearest" });
    this.widget.answered(reply);
  }

  acts(reply) {
    const { texts, cart } = this.widget;
    const acts = [];
    if (reply.actions.some((action) => action.undo)) {
      acts.push(button(texts.undo, async (node) => { if (await cart.undo()) node.remove(); }, { className: "undo" }));
    }
    for (const action of reply.actions) {
      const url = address(action.url);
      if (!url) continue;
      const label = action.type === "checkout" ? texts.checkout : texts[`contact${{ "tel:": "Phone", "mailto:": "Mail" }[new URL(url).protocol] ?? "Whatsapp"}`];
      const outside = action.type === "contact" && url.startsWith("http");
      acts.push(make("a", { className: action.type === "checkout" ? "act main" : "act", href: url, text: label, ...(outside ? { target: "_blank", rel: "noopener" } : {}) }));
    }
    return acts;
  }
  dropUndo() {
    for (const old of this.log.querySelectorAll(".undo")) old.remove();
  }

  refuse(error, request) {
    const bubble = this.say("shop fault", this.widget.explain(error), { kept: false });
    const again = button(this.widget.texts.retry, () => {
      if (this.busy) return;
      row.remove();
      bubble.remove();
      this.message.focus();
      this.run(request);
    });
    const row = make("div", { className: "row" }, again);
    this.log.append(row);
    row.scrollIntoView({ block: "nearest" });
  }

  say(kind, text, { kept = true, names = [], products = [] } = {}) {
    const { texts, language, dataset } = this.widget;
    const who = make("span", { className: "hidden", dir: "auto", text: `${kind === "me" ? texts.you : texts.shop}: ` });
    const bubble = make("p", { className: `said ${kind}`, dir: "auto" }, who, ...isolated(text, names));
    this.log.append(bubble);
    if (products.length) {
      const handed = { texts, language, page: dataset.productUrl, add: (product) => this.widget.cart.add(product) };
      this.log.append(make("ul", { className: "cards" }, ...products.map((product) => productCard(product, handed))));
    }
    bubble.scrollIntoView({ block: "nearest" });
    if (kept) this.remember({ kind, text, names, products, at: Date.now() });
    return bubble;
  }

  showChips(labels) {
    const chips = labels.map((label) => button(label, () => { this.message.focus(); return this.ask(label); }, { dir: "auto" }));
    this.chips.replaceChildren(...chips);
    this.chips.hidden = chips.length === 0;
  }

  clear() {
    this.log.replaceChildren();
    this.said = [];
    this.began += 1;
    this.pending(null);
    keep(this.place("said"), this.said);
  }

  place(what) {
    return `shopping-agent.${what} ${this.widget.api.base}`;
  }

  remember(one) {
    const before = one.products.length ? this.said.map((other) => ({ ...other, products: [] })) : this.said;
    this.said = [...before, one].slice(-KEPT);
    keep(this.place("said"), this.said);
  }

  restore() {
    this.log.replaceChildren();
    this.said = [];
    const said = kept(this.place("said"));
    for (const { kind, text, names, products, at } of Array.isArray(said) ? said : []) {
      this.say(kind, text, { kept: false, names, products: Date.now() - at < FRESH_MILLISECONDS ? products : [] });
      this.said.push({ kind, text, names, products, at });
    }
  }
  pending(request) {
    keep(this.place("pending"), request && { request, at: Date.now() });
  }
  resume() {
    const left = kept(this.place("pending"));
    if (left && Date.now() - left.at < FRESH_MILLISECONDS) this.run(left.request);
  }
}
const SVG = "http://www.w3.org/2000/svg";
const PATHS = {
  talk: ["M4 5h16v11H9l-5 4z"],
  cart: ["M3 4h2l2.2 11h10.4L20 7H6", "M9 20h.01", "M17 20h.01"],
  close: ["M6 6l12 12", "M18 6L6 18"],
};

function icon(name) {
  const drawing = document.createElementNS(SVG, "svg");
  for (const [attribute, value] of [["viewBox", "0 0 24 24"], ["aria-hidden", "true"], ["focusable", "false"]]) drawing.setAttribute(attribute, value);
  for (const path of PATHS[name]) {
    const line = document.createElementNS(SVG, "path");
    line.setAttribute("d", path);
    drawing.append(line);
  }
  return drawing;
}
const REFUSALS = {
  out_of_stock: "outOfStock", unknown_product: "gone", cart_limit: "cartLimit", nothing_to_undo: "nothingToUndo", lines_unavailable: "linesUnavailable",
  empty_cart: "cartEmpty",
};

function explain(error, texts, language) {
  if (error.status === 0) return texts.offline;
  if (error.status === 429) return fill(texts.busy, { n: error.retryAfter || 30 });
  if (error.code === "assistant_off") return texts.off;
  if (language !== "en" && REFUSALS[error.code]) return texts[REFUSALS[error.code]];
  return error.status < 500 && error.message ? error.message : texts.failed;
}
const styles = `
:host {
  --agent-accent: #7a4a1e; --agent-on-accent: #fff; --paper: #fbf7f1; --card: #fff; --ink: #2a211a; --soft: #62554a; --line: #8a7d70;
  --hair: #e4d9cb; --good: #2f6b3a; --bad: #9c2f24;
  all: initial; position: fixed; inset-block-end: 16px; inset-inline-end: 16px; z-index: 2147483000;
}
.frame { all: initial; display: block; color-scheme: light; font: 16px/1.45 system-ui, "Noto Sans", "Noto Sans Arabic", sans-serif; color: var(--ink); overflow-wrap: break-word; }
:host([data-scheme="dark"]) {
  --paper: #1c1814; --card: #262019; --ink: #f1e8dc; --soft: #c2b3a2; --line: #94887a; --hair: #43392e; --good: #8fce9b; --bad: #f0a196;
}
:host([data-scheme="dark"]) .frame { color-scheme: dark; }
:host([data-scheme="dark"]:not([data-accent])) { --agent-accent: #e0a868; --agent-on-accent: #1c1814; }
:host([hidden]) { display: none; }
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
h2, h3, p, ul, dl { margin: 0; padding: 0; }
ul { list-style: none; }
button, textarea, a.act { font: inherit; border-radius: 10px; border: 1px solid var(--line); padding: 7.2px 12px; min-height: 40px; background: transparent; color: var(--ink); cursor: pointer; text-decoration: none; }
button.main, a.main { background: var(--agent-accent); border-color: var(--agent-accent); color: var(--agent-on-accent); font-weight: 600; }
button[aria-disabled="true"], button:disabled { opacity: .6; cursor: default; }
:focus-visible { outline: 3px solid var(--agent-accent); outline-offset: 2px; }
.launcher:focus-visible, .main:focus-visible, .me:focus-visible { outline-color: var(--ink); }
.launcher { display: flex; align-items: center; gap: 8px; border-radius: 99px; padding: 11.2px 17.6px; box-shadow: 0 6px 24px rgb(0 0 0 / .28); background: var(--agent-accent); border-color: var(--agent-accent); color: var(--agent-on-accent); font-weight: 600; }
.launcher svg, .head svg { width: 21.6px; height: 21.6px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.badge { min-width: 24px; padding: 0 6.4px; border-radius: 99px; background: var(--card); color: var(--ink); font-size: 13.6px; line-height: 24px; text-align: center; }
.panel { position: fixed; inset-block-end: 16px; inset-inline-end: 16px; width: min(400px, calc(100vw - 32px)); height: min(704px, calc(100dvh - 32px)); display: grid; grid-template-rows: auto auto minmax(0, 1fr) auto auto auto; overflow: hidden;
  background: var(--paper); color: var(--ink); border: 1px solid var(--hair); border-radius: 18px; box-shadow: 0 12px 48px rgb(0 0 0 / .35); }
.panel.cart-open { grid-template-rows: auto minmax(0, 1fr); }
.panel.cart-open > :not(.head, .cart) { display: none; }
.head { display: flex; align-items: center; gap: 8px; padding: 11.2px 14.4px; background: var(--card); border-block-end: 1px solid var(--hair); }
.head h2 { flex: 1; font-size: 16.8px; }
.icon { display: inline-flex; align-items: center; gap: 5.6px; padding: 5.6px 9.6px; }
.icon .badge { background: var(--agent-accent); color: var(--agent-on-accent); }
.small { font-size: 14px; color: var(--soft); }
.notice { padding: 6.4px 14.4px; border-block-end: 1px solid var(--hair); }
.log { overflow-y: auto; padding: 14.4px; display: flex; flex-direction: column; gap: 10.4px; overscroll-behavior: contain; }
.said { white-space: pre-wrap; overflow-wrap: anywhere; padding: 8.8px 12.8px; border-radius: 14px; max-width: 92%; background: var(--card); border: 1px solid var(--hair); align-self: flex-start; }
.said.me { background: var(--agent-accent); color: var(--agent-on-accent); border-color: var(--agent-accent); align-self: flex-end; }
.said.fault { border-color: var(--bad); color: var(--bad); }
.row { display: flex; flex-wrap: wrap; gap: 7.2px; align-items: center; }
.progress { min-height: 30.4px; padding: 3.2px 14.4px; font-size: 14.4px; color: var(--soft); }
.progress.busy::before { content: ""; display: inline-block; width: 9.6px; height: 9.6px; margin-inline-end: 8px; border-radius: 99px; background: var(--agent-accent); animation: pulse 1.1s ease-in-out infinite alternate; }
@keyframes pulse { from { opacity: .25; } to { opacity: 1; } }
.chips { padding: 0 14.4px 8px; max-height: 144px; overflow-y: auto; }
.chips button { min-height: 33.6px; padding: 3.2px 12px; border-radius: 99px; font-size: 14.72px; background: var(--card); text-align: start; max-width: 100%; overflow-wrap: anywhere; }
form { display: grid; grid-template-columns: 1fr auto; gap: 8px; padding: 11.2px 14.4px; border-block-start: 1px solid var(--hair); background: var(--card); align-items: end; }
textarea { resize: none; min-width: 0; background: var(--paper); color: var(--ink); cursor: text; }
textarea::placeholder { color: var(--soft); opacity: 1; }
.cards { display: grid; gap: 9.6px; }
.card { display: grid; grid-template-columns: 80px minmax(0, 1fr); gap: 2.4px 12px; padding: 10.4px; background: var(--card); border: 1px solid var(--hair); border-radius: 14px; align-items: start; }
.card > .picture { grid-row: 1 / span 3; width: 80px; height: 89.6px; }
.picture > * { width: 100%; height: 100%; object-fit: contain; display: block; }
.card h3, .line h3 { font-size: 15.68px; overflow-wrap: anywhere; }
[dir="auto"]:not(textarea, .said) { text-align: -webkit-match-parent; text-align: match-parent; }
h3 a { color: inherit; }
.amount { white-space: nowrap; }
.price { font-weight: 650; }
del { color: var(--soft); font-weight: 400; margin-inline-start: 7.2px; }
.good { color: var(--good); } .bad { color: var(--bad); }
.card > .row, .card > details { grid-column: 1 / -1; }
details { font-size: 14.4px; }
summary { cursor: pointer; min-height: 24px; }
details ul { padding-inline-start: 17.6px; list-style: disc; }
.cart { overflow-y: auto; padding: 14.4px; display: grid; gap: 12.8px; align-content: start; }
.line { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 4.8px 9.6px; padding-block-end: 11.2px; border-block-end: 1px solid var(--hair); align-items: center; }
.line > .row { grid-column: 1 / -1; }
.line .row button { min-width: 40px; padding: 3.2px 8px; }
.foot { display: grid; gap: 8px; position: sticky; bottom: 0; padding-block: 8px; background: var(--paper); border-block-start: 1px solid var(--hair); }
.cart { scroll-padding-block: 16px 128px; }
.total { display: flex; justify-content: space-between; font-weight: 650; font-size: 16.8px; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.act { display: inline-flex; align-items: center; justify-content: center; }
@media (max-width: 480px), (max-height: 480px) {
  .panel { inset: 0; width: 100vw; height: 100dvh; border-radius: 0; border: 0; }
  .launcher > span:not(.badge) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .launcher { padding: 13.6px; }
}
@media (prefers-reduced-motion: reduce) { .progress.busy::before { animation: none; } }
@media (forced-colors: active) { .said, .card, .panel, button { border: 1px solid; } }
`;
const texts = {
  en: {
    open: "Ask the assistant", close: "Close", title: "Shopping assistant", notice: "You are talking to an automated assistant.", log: "Conversation",
    hint: "Something fresh for summer, under 800 MAD", message: "Your message", send: "Send", thinking: "Looking…", suggestions: "Suggestions",
    add: "Add to cart", addNamed: "Add to cart: {name}", inStock: "In stock", outOfStock: "Out of stock", few: "Only {n} left", was: "Before: {price}", why: "Why this one",
    cart: "Cart", cartOpen: "Open the cart, {n} items", cartClose: "Back to the conversation", cartEmpty: "Your cart is empty.", total: "Total", beforeDelivery: "before delivery",
    less: "One less: {name}", more: "One more: {name}", remove: "Remove: {name}", quantity: "Quantity", undo: "Undo the last change", checkout: "Checkout", changed: "Cart updated",
    contactWhatsapp: "WhatsApp", contactPhone: "Call us", contactMail: "Write to us", retry: "Try again", offline: "No connection to the shop. Your message is kept.",
    failed: "That did not work. Please try again.", busy: "Too many requests. Try again in {n} seconds.", off: "The assistant is switched off at the moment.",
    forget: "Delete my data", forgetSure: "Delete conversation and cart?", forgotten: "Your conversation and cart are deleted.",
    cartLimit: "That is as much as a cart holds.", nothingToUndo: "There is nothing to undo.", linesUnavailable: "Some products are no longer available in this quantity.",
    price_rose: "The price went up.", price_fell: "The price went down.", stock_below_quantity: "Fewer are left than you chose.", gone: "No longer sold.", you: "You", shop: "Assistant",
  },
  fr: {
    open: "Demander à l'assistant", close: "Fermer", title: "Assistant d'achat", notice: "Vous parlez à un assistant automatique.", log: "Conversation",
    hint: "Quelque chose de frais pour l'été, moins de 800 MAD", message: "Votre message", send: "Envoyer", thinking: "Je cherche…", suggestions: "Suggestions",
    add: "Ajouter au panier", addNamed: "Ajouter au panier : {name}", inStock: "En stock", outOfStock: "Épuisé", few: "Plus que {n}", was: "Avant : {price}", why: "Pourquoi celui-ci",
    cart: "Panier", cartOpen: "Ouvrir le panier, {n} articles", cartClose: "Retour à la conversation", cartEmpty: "Votre panier est vide.", total: "Total", beforeDelivery: "hors livraison",
    less: "Un de moins : {name}", more: "Un de plus : {name}", remove: "Retirer : {name}", quantity: "Quantité", undo: "Annuler le dernier changement", checkout: "Commander", changed: "Panier mis à jour",
    contactWhatsapp: "WhatsApp", contactPhone: "Nous appeler", contactMail: "Nous écrire", retry: "Réessayer", offline: "Pas de connexion à la boutique. Votre message est gardé.",
    failed: "Cela n'a pas marché. Réessayez.", busy: "Trop de demandes. Réessayez dans {n} secondes.", off: "L'assistant est désactivé pour le moment.",
    forget: "Effacer mes données", forgetSure: "Effacer la conversation et le panier ?", forgotten: "Votre conversation et votre panier sont effacés.",
    cartLimit: "Le panier ne peut pas en contenir davantage.", nothingToUndo: "Il n'y a rien à annuler.", linesUnavailable: "Certains produits ne sont plus disponibles dans cette quantité.",
    price_rose: "Le prix a augmenté.", price_fell: "Le prix a baissé.", stock_below_quantity: "Il en reste moins que choisi.", gone: "N'est plus vendu.", you: "Vous", shop: "Assistant",
  },
  ar: {
    open: "اسأل المساعد", close: "إغلاق", title: "مساعد التسوق", notice: "أنت تتحدث مع مساعد آلي.", log: "المحادثة",
    hint: "شيء منعش للصيف بأقل من 800 درهم", message: "رسالتك", send: "إرسال", thinking: "أبحث…", suggestions: "اقتراحات",
    add: "أضف إلى السلة", addNamed: "أضف إلى السلة: {name}", inStock: "متوفر", outOfStock: "غير متوفر", few: "بقي {n} فقط", was: "السعر السابق: {price}", why: "لماذا هذا",
    cart: "السلة", cartOpen: "افتح السلة، {n} منتجات", cartClose: "العودة إلى المحادثة", cartEmpty: "سلتك فارغة.", total: "المجموع", beforeDelivery: "قبل التوصيل",
    less: "أقل بواحد: {name}", more: "واحد آخر: {name}", remove: "حذف: {name}", quantity: "الكمية", undo: "تراجع عن آخر تغيير", checkout: "إتمام الطلب", changed: "تم تحديث السلة",
    contactWhatsapp: "واتساب", contactPhone: "اتصل بنا", contactMail: "راسلنا", retry: "حاول مرة أخرى", offline: "لا اتصال بالمتجر. رسالتك محفوظة.",
    failed: "لم ينجح ذلك. حاول مرة أخرى.", busy: "طلبات كثيرة. حاول بعد {n} ثانية.", off: "المساعد متوقف حاليا.",
    forget: "احذف بياناتي", forgetSure: "حذف المحادثة والسلة؟", forgotten: "حُذفت محادثتك وسلتك.",
    cartLimit: "لا تتسع السلة لأكثر من ذلك.", nothingToUndo: "لا يوجد تغيير للتراجع عنه.", linesUnavailable: "بعض المنتجات لم تعد متوفرة بهذه الكمية.",
    price_rose: "ارتفع السعر.", price_fell: "انخفض السعر.", stock_below_quantity: "المتبقي أقل مما اخترت.", gone: "لم يعد يباع.", you: "أنت", shop: "المساعد",
  },
  ary: {
    open: "سول المساعد", close: "سد", title: "المساعد ديال الشرا", notice: "راك كتهضر مع مساعد آلي.", log: "الهضرة",
    hint: "شي حاجة فريش للصيف قل من 800 درهم", message: "الميساج ديالك", send: "صيفط", thinking: "كنقلب…", suggestions: "اقتراحات",
    add: "زيد للسلة", addNamed: "زيد للسلة: {name}", inStock: "كاين", outOfStock: "سالا", few: "بقاو غير {n}", was: "قبل: {price}", why: "علاش هادا",
    cart: "السلة", cartOpen: "حل السلة، {n} حوايج", cartClose: "رجع للهضرة", cartEmpty: "السلة ديالك خاوية.", total: "المجموع", beforeDelivery: "بلا التوصيل",
    less: "نقص واحد: {name}", more: "زيد واحد: {name}", remove: "حيد: {name}", quantity: "العدد", undo: "رجع اللخر لي تبدل", checkout: "كمل الطلب", changed: "السلة تبدلات",
    contactWhatsapp: "واتساب", contactPhone: "عيط لينا", contactMail: "كتب لينا", retry: "عاود", offline: "ماكاينش الكونيكسيون مع الحانوت. الميساج ديالك محفوظ.",
    failed: "ما صدقاتش. عاود مرة خرى.", busy: "بزاف ديال الطلبات. عاود من بعد {n} ثانية.", off: "المساعد طافي دابا.",
    forget: "مسح المعلومات ديالي", forgetSure: "نمسحو الهضرة والسلة؟", forgotten: "تمسحات الهضرة والسلة ديالك.",
    cartLimit: "السلة ما كتهزش كثر من هادشي.", nothingToUndo: "ما كاين ما يترجع.", linesUnavailable: "شي حوايج مابقاوش كاينين بهاد العدد.",
    price_rose: "الثمن طلع.", price_fell: "الثمن نزل.", stock_below_quantity: "بقا قل من داكشي لي خترتي.", gone: "مابقاش كيتباع.", you: "نتا", shop: "المساعد",
  },
  "ary-latn": {
    open: "Swel l'assistant", close: "Sedd", title: "L'assistant dyal chra", notice: "Rak kathder m3a assistant automatique.", log: "L'hedra",
    hint: "Chi haja fraîche l sif, 9ell mn 800 dh", message: "L'message dyalek", send: "Sift", thinking: "Kan9elleb…", suggestions: "I9tira7at",
    add: "Zid l panier", addNamed: "Zid l panier: {name}", inStock: "Kayn", outOfStock: "Sala", few: "B9aw ghir {n}", was: "9bel: {price}", why: "3lach hada",
    cart: "Panier", cartOpen: "7ell l panier, {n} d l7wayj", cartClose: "Rje3 l l'hedra", cartEmpty: "L panier dyalek khawi.", total: "L'majmou3", beforeDelivery: "bla livraison",
    less: "N9es wa7ed: {name}", more: "Zid wa7ed: {name}", remove: "7iyed: {name}", quantity: "L3adad", undo: "Rejje3 akher tbdil", checkout: "Kemmel l commande", changed: "L panier tbeddel",
    contactWhatsapp: "WhatsApp", contactPhone: "3eyyet lina", contactMail: "Kteb lina", retry: "3awed", offline: "Makaynch l connexion m3a l7anout. L'message dyalek ma7foud.",
    failed: "Ma sed9atch. 3awed merra okhra.", busy: "Bzaf d talabat. 3awed mn be3d {n} tawani.", off: "L'assistant tafi daba.",
    forget: "Mse7 lma3loumat dyali", forgetSure: "Nmes7o l'hedra w l panier?", forgotten: "L'hedra w l panier dyalek tmes7o.",
    cartLimit: "L panier ma kayhezzch kter men hadchi.", nothingToUndo: "Ma kayn ma yterje3.", linesUnavailable: "Chi 7wayj mab9awch kaynin b had l3adad.",
    price_rose: "Taman tle3.", price_fell: "Taman nzel.", stock_below_quantity: "B9a 9ell men dakchi li khteriti.", gone: "Mab9ach kaytba3.", you: "Nta", shop: "L'assistant",
  },
};
const OPEN = "shopping-agent.open";
const NARROW = "(max-width: 480px), (max-height: 480px)";

class ShoppingAgent extends HTMLElement {
  static observedAttributes = ["data-locale", "data-theme", "data-accent", "data-suggestions"];

  connectedCallback() {
    if (this.shadowRoot) {
      this.listen();
      return;
    }
    this.api = new Api((this.dataset.api ?? "").replace(/\/+$/, ""));
    this.speak();
    this.cart = new Cart(this);
    this.chat = new Chat(this);
    this.build();
    this.draw();
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.narrow = matchMedia(NARROW);
    this.paint();
    this.listen();
    this.cart.load();
    this.greet();
    if (kept(OPEN)) this.open({ focus: false });
    this.chat.resume();
  }

  disconnectedCallback() {
    this.listening.abort();
    this.cart.deafen();
  }

  listen() {
    this.listening = new AbortController();
    const { signal } = this.listening;
    for (const query of [this.dark, this.narrow]) query.addEventListener("change", () => this.paint(), { signal });
    addEventListener("storage", (event) => { if (event.key === this.api.key) this.cart.load(); }, { signal });
    addEventListener("pageshow", (event) => { if (event.persisted) this.refresh(); }, { signal });
    this.cart.listen();
  }

  refresh() {
    this.cart.load();
    if (!this.chat.busy) this.chat.restore();
  }

  attributeChangedCallback() {
    if (!this.shadowRoot) return;
    this.speak();
    this.draw();
    this.paint();
    this.greet();
  }
  open({ message, focus = true } = {}) {
    if (this.panel.hidden) this.opener = document.activeElement;
    this.panel.hidden = false;
    this.launcher.hidden = true;
    this.launcher.setAttribute("aria-expanded", "true");
    keep(OPEN, true);
    this.drawCount();
    this.welcome();
    if (focus) this.chat.message.focus();
    return message ? this.chat.ask(message) : undefined;
  }

  close() {
    this.showCart(false, false);
    this.panel.hidden = true;
    this.launcher.hidden = false;
    this.launcher.setAttribute("aria-expanded", "false");
    keep(OPEN, false);
    const back = this.opener?.isConnected && this.opener !== this && this.opener !== document.body ? this.opener : this.launcher;
    back.focus();
  }

  openCart() {
    this.open({ focus: false });
    this.showCart(true);
  }
  add(productId) {
    return this.cart.add({ id: productId });
  }
  get context() {
    const productId = this.dataset.productId || document.querySelector('meta[name="shopping-agent:product"]')?.content;
    return { page: location.pathname.slice(0, 500), ...(productId ? { productId } : {}) };
  }

  speak() {
    this.locale = this.dataset.locale || document.documentElement.lang || navigator.language;
    this.language = languageOf(this.locale, Object.keys(texts));
    this.texts = texts[this.language];
  }

  build() {
    this.badge = make("span", { className: "badge", hidden: true });
    this.launcherText = make("span");
    this.launcher = make("button", { type: "button", className: "launcher", "aria-expanded": "false", "aria-controls": "panel", on: { click: () => this.open() } }, icon("talk"), this.launcherText, this.badge);
    this.heading = make("h2", { id: "title" });
    this.cartBadge = make("span", { className: "badge", "aria-hidden": "true", hidden: true });
    this.cartButton = make("button", { type: "button", className: "icon cart-button", on: { click: () => this.showCart(this.cart.drawer.hidden) } }, icon("cart"), this.cartBadge);
    this.closeButton = make("button", { type: "button", className: "icon close", on: { click: () => this.close() } }, icon("close"));
    this.notice = make("p", { className: "notice small" });
    this.panel = make("section", { id: "panel", className: "panel", role: "dialog", "aria-labelledby": "title", hidden: true },
      make("div", { className: "head" }, this.heading, this.cartButton, this.closeButton),
      this.notice, this.chat.log, this.chat.progress, this.chat.chips, this.chat.form, this.cart.drawer);
    for (const kind of ["keydown", "keypress", "keyup"]) this.panel.addEventListener(kind, (event) => event.stopPropagation());
    this.panel.addEventListener("keydown", (event) => {
      this.hold(event);
      if (event.key !== "Escape") return;
      if (this.cart.drawer.hidden) this.close();
      else this.showCart(false);
    });
    const root = this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    root.adoptedStyleSheets = [sheet];
    this.frame = make("div", { className: "frame" }, this.launcher, this.panel);
    root.append(this.frame);
  }

  draw() {
    const words = this.texts;
    this.frame.lang = htmlLanguage(this.language);
    this.dir = this.frame.dir = fromRight(this.language) ? "rtl" : "ltr";
    this.launcherText.textContent = words.open;
    this.heading.textContent = words.title;
    this.notice.textContent = words.notice;
    this.closeButton.setAttribute("aria-label", words.close);
    this.chat.draw();
    this.cart.draw();
    this.drawCount();
  }

  drawCount() {
    for (const badge of [this.badge, this.cartBadge]) {
      badge.textContent = this.cart.count;
      badge.hidden = this.cart.count === 0;
    }
    this.cartButton.setAttribute("aria-label", this.cart.drawer.hidden ? this.cart.label() : this.texts.cartClose);
  }
  hold(event) {
    if (event.key !== "Tab" || !this.narrow.matches) return;
    const stops = [...this.panel.querySelectorAll('a[href], button, textarea, summary, [tabindex="0"]')].filter((one) => !one.disabled && one.getClientRects().length);
    const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
    if (this.shadowRoot.activeElement !== from) return;
    event.preventDefault();
    to.focus();
  }

  paint() {
    this.panel.setAttribute("aria-modal", String(this.narrow.matches));
    const wanted = this.dataset.theme;
    this.dataset.scheme = wanted === "dark" || (wanted !== "light" && this.dark.matches) ? "dark" : "light";
    const accent = this.dataset.accent;
    if (!accent || !CSS.supports("color", accent)) return;
    this.style.setProperty("--agent-accent", accent);
    this.style.setProperty("--agent-on-accent", `oklch(from ${accent} clamp(0, (.565 - l) * 1000, 1) 0 0)`);
  }

  showCart(shown, focus = true) {
    this.cart.drawer.hidden = !shown;
    this.panel.classList.toggle("cart-open", shown);
    this.drawCount();
    if (!focus) return;
    if (shown) this.cart.drawer.focus();
    else this.cartButton.focus();
  }
  announce(cart, changed) {
    this.drawCount();
    this.dispatchEvent(new CustomEvent("shopping-agent:cart", { bubbles: true, composed: true, detail: { cart, changed } }));
  }

  answered(reply) {
    this.dispatchEvent(new CustomEvent("shopping-agent:reply", { bubbles: true, composed: true, detail: reply }));
  }

  say(text) {
    this.chat.show(text);
    this.chat.progress.classList.remove("busy");
  }

  fail(error) {
    const text = this.explain(error);
    this.say(text);
    if (!this.cart.drawer.hidden) {
      this.cart.drawer.querySelector(".problem")?.remove();
      this.cart.drawer.prepend(make("p", { className: "problem bad", role: "alert", text }));
    }
    this.dispatchEvent(new CustomEvent("shopping-agent:problem", { bubbles: true, composed: true, detail: text }));
  }

  explain(error) {
    return explain(error, this.texts, this.language);
  }

  forgotten() {
    this.cart.empty();
    this.chat.clear();
    this.showCart(false, !this.cart.drawer.hidden);
    this.chat.showChips([]);
    this.say(this.texts.forgotten);
    this.announce(null, true);
  }
  greet() {
    const starters = (this.dataset.suggestions ?? "").split("|").map((one) => one.trim()).filter(Boolean);
    if (!this.chat.said.length && !this.chat.busy) this.chat.showChips(starters);
  }

  async welcome() {
    if (this.welcomed || this.dataset.suggestions !== undefined) return;
    this.welcomed = true;
    const store = await this.api.store(this.locale);
    if (store && this.dataset.suggestions === undefined) this.dataset.suggestions = store.suggestions.join("|");
  }
}
const script = document.currentScript;

if (!customElements.get("shopping-agent")) customElements.define("shopping-agent", ShoppingAgent);

function mount() {
  if (document.querySelector("shopping-agent")) return;
  const element = document.createElement("shopping-agent");
  Object.assign(element.dataset, { api: script?.src ? new URL(script.src).origin : "", ...script?.dataset });
  document.body.append(element);
}

if (script && script.dataset.mount !== "off") {
  if (document.body) mount();
  else addEventListener("DOMContentLoaded", mount);
}
})();
