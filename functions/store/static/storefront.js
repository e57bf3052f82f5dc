// The demo storefront: a product grid, the cart and the assistant over the public HTTP API.
import { artwork } from "/artwork.js";
import { texts } from "/texts.js";

const $ = (id) => document.getElementById(id);
const state = { token: read("token"), language: read("language") || "en", cursor: null, cart: null, busy: false };

function read(key) {
  try { return localStorage.getItem(`shop.${key}`); } catch { return null; }
}

function keep(key, value) {
  try { localStorage.setItem(`shop.${key}`, value); } catch { /* private mode: the session lasts for this page */ }
}

const say = (key) => texts[state.language][key];

function element(tag, { text, ...properties } = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  if (text !== undefined) node.textContent = text;
  node.append(...children);
  return node;
}

/** One API call. A session that is no longer known is replaced once. */
async function call(method, path, body, again = true) {
  const headers = {};
  if (state.token) headers.authorization = `Bearer ${state.token}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  const reply = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  const data = await reply.json().catch(() => ({}));
  if (reply.status === 401 && state.token && again) {
    state.token = null;
    return call(method, path, body, false);
  }
  if (!reply.ok) throw new Error(data.detail || data.message || say("failed"));
  if (data.sessionToken) keep("token", (state.token = data.sessionToken));
  return data;
}

/** As the assistant writes it: 690 MAD, 690.50 MAD, in French 690,50 MAD. */
function money(amount, currency) {
  const digits = Number.isInteger(amount) ? 0 : 2;
  const format = new Intl.NumberFormat(state.language === "fr" ? "fr" : "en", { useGrouping: false, minimumFractionDigits: digits });
  return `\u2066${format.format(amount)} ${currency}\u2069`;
}

function stockLine(product) {
  if (!product.inStock) return element("p", { className: "small bad", text: say("outOfStock") });
  if (product.stock !== null && product.stock <= 2) return element("p", { className: "small bad", text: say("few").replace("{n}", product.stock) });
  return element("p", { className: "small good", text: say("inStock") });
}

function card(product) {
  const price = element("p", { className: "price", text: money(product.price, product.currency) });
  if (product.compareAtPrice) price.append(element("del", { text: money(product.compareAtPrice, product.currency) }));
  const notes = [...product.notes.top, ...product.notes.heart, ...product.notes.base].slice(0, 4).join(", ");
  const add = element("button", { type: "button", text: say("add"), disabled: !product.inStock });
  add.setAttribute("aria-label", `${say("add")}: ${product.name}`);
  add.addEventListener("click", () => change("POST", "/api/v1/cart/items", { productId: product.id, quantity: 1 }));
  const heading = element("h3", { text: product.name, dir: "auto" });
  return element("li", { className: "product", title: product.description },
    artwork(product), element("p", { className: "small", text: product.brand, dir: "auto" }),
    element("div", {}, heading, element("p", { className: "notes", text: notes, dir: "auto" })), price, stockLine(product), add);
}

async function showProducts(more = false) {
  const parameters = new URLSearchParams({ limit: "24" });
  const query = $("query").value.trim();
  if (query) parameters.set("query", query);
  if ($("max-price").value) parameters.set("maxPrice", $("max-price").value);
  if ($("in-stock").checked) parameters.set("inStock", "true");
  if (more && state.cursor) parameters.set("cursor", state.cursor);
  $("status").textContent = say("searching");
  try {
    const page = await call("GET", `/api/v1/products?${parameters}`);
    const cards = page.products.map(card);
    if (more) $("grid").append(...cards); else $("grid").replaceChildren(...cards);
    state.cursor = page.nextCursor || null;
    $("more").hidden = !state.cursor;
    $("status").textContent = $("grid").children.length ? "" : say("nothing");
  } catch (error) {
    $("status").textContent = error.message;
  }
}

function cartLine(line, currency) {
  const set = (quantity) => change("PATCH", `/api/v1/cart/items/${encodeURIComponent(line.productId)}`, { quantity });
  const step = (label, sign, quantity) => {
    const button = element("button", { type: "button", className: "quiet", text: sign });
    button.setAttribute("aria-label", `${label}: ${line.name}`);
    button.addEventListener("click", () => set(quantity));
    return button;
  };
  const notice = line.notice ? [element("span", { className: "small bad", text: say(line.notice) })] : [];
  return element("li", {},
    element("span", { text: line.name, dir: "auto" }), element("span", { text: money(line.lineTotal, currency) }),
    element("span", { className: "row" }, step(say("less"), "−", line.quantity - 1), element("span", { text: line.quantity }), step(say("oneMore"), "+", line.quantity + 1)),
    step(say("remove"), "×", 0), ...notice);
}

function showCart(cart, changed) {
  state.cart = cart;
  $("undo").hidden = !changed;
  $("cart-count").textContent = cart.count;
  $("cart-lines").replaceChildren(...cart.items.map((line) => cartLine(line, cart.currency)));
  const empty = cart.items.length === 0;
  $("cart-empty").hidden = !empty;
  $("clear").hidden = $("checkout").hidden = empty;
  document.querySelector(".total").hidden = empty;
  $("cart-total").textContent = money(cart.total, cart.currency);
}

/** Only the web: a link that the API gives is followed, never run. */
function webAddress(url) {
  try { return ["http:", "https:"].includes(new URL(url).protocol) ? url : null; } catch { return null; }
}

async function checkOut() {
  $("checkout").disabled = true;
  try {
    const { url } = await call("POST", "/api/v1/cart/checkout");
    if (webAddress(url)) location.assign(url);
  } catch (error) {
    $("status").textContent = error.message;
    change("GET", "/api/v1/cart");
  } finally {
    $("checkout").disabled = false;
  }
}

async function change(method, path, body) {
  try {
    showCart(await call(method, path, body), method !== "GET" && !path.endsWith("/undo"));
    $("status").textContent = "";
  } catch (error) {
    $("status").textContent = error.message;
  }
}

function bubble(kind, text) {
  const line = element("p", { className: kind, text, dir: "auto" });
  $("talk").append(line);
  line.scrollIntoView({ block: "nearest" });
  return line;
}

function showChips(labels) {
  $("chips").replaceChildren(...labels.map((label) => {
    const chip = element("button", { type: "button", className: "quiet", text: label, dir: "auto" });
    chip.addEventListener("click", () => ask(label));
    return chip;
  }));
}

async function ask(message) {
  if (state.busy) return;
  state.busy = true;
  showChips([]);
  bubble("me", message);
  const waiting = bubble("shop", say("thinking"));
  try {
    const reply = await call("POST", "/api/v1/ai/cart", { message, turnId: crypto.randomUUID(), locale: `${state.language}-MA` });
    waiting.textContent = reply.answer;
    if (reply.products.length) $("grid").replaceChildren(...reply.products.map(card));
    const link = webAddress(reply.actions.find((action) => action.type === "checkout")?.url);
    if (link) waiting.append(element("a", { className: "button", href: link, text: say("checkout") }));
    if (reply.cart) showCart(reply.cart, reply.actions.some((action) => action.undo));
    showChips([...reply.choices.map((choice) => choice.label), ...reply.suggestions]);
    if (reply.products.length) { state.cursor = null; $("more").hidden = true; $("status").textContent = say("fromChat"); }
  } catch (error) {
    waiting.className = "shop fault";
    waiting.textContent = error.message;
  } finally {
    state.busy = false;
  }
}

function speak(language) {
  state.language = texts[language] ? language : "en";
  keep("language", state.language);
  document.documentElement.lang = state.language;
  document.documentElement.dir = state.language === "ar" ? "rtl" : "ltr";
  for (const node of document.querySelectorAll("[data-text]")) node.textContent = say(node.dataset.text);
  for (const node of document.querySelectorAll("[data-placeholder]")) node.placeholder = say(node.dataset.placeholder);
  document.title = say("shop");
  $("language").value = state.language;
}

$("search").addEventListener("submit", (event) => { event.preventDefault(); showProducts(); });
$("more").addEventListener("click", () => showProducts(true));
$("checkout").addEventListener("click", checkOut);
$("undo").addEventListener("click", () => change("POST", "/api/v1/cart/undo"));
$("clear").addEventListener("click", () => change("DELETE", "/api/v1/cart"));
$("language").addEventListener("change", (event) => { speak(event.target.value); if (state.cart) showCart(state.cart, !$("undo").hidden); showProducts(); });
$("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  const message = $("message").value.trim();
  if (!message) return;
  $("message").value = "";
  ask(message);
});
$("message").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); $("ask").requestSubmit(); }
});

speak(state.language);
showProducts();
if (state.token) change("GET", "/api/v1/cart");
