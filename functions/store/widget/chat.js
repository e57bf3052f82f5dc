// The conversation: what was said, product cards, chips, and one turn at a time, sent again under its own id.
import { make } from "../static/dom.js";
import { productCard } from "./cards.js";
import { address, button, unique } from "./dom.js";
import { isolated } from "./format.js";
import { kept, keep } from "./memory.js";
import { follow } from "./progress.js";

const KEPT = 30;
const FRESH_MILLISECONDS = 10 * 60_000;

export class Chat {
  /** @param {object} widget what the conversation needs of the widget: api, cart, texts, language, locale, context, explain */
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

  /** Send a message as a turn of its own; nothing while another one runs. */
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
      // What was forgotten meanwhile is not told any more.
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

  /** An undo is of the last change: buttons of earlier ones would take back another. */
  dropUndo() {
    for (const old of this.log.querySelectorAll(".undo")) old.remove();
  }

  refuse(error, request) {
    const bubble = this.say("shop fault", this.widget.explain(error), { kept: false });
    // The same id: if the first sending did reach the shop, this one gets its answer and changes nothing again.
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
    // With a direction of its own it does not decide that of what is said.
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

  // --- on the next page of the same tab ---------------------------------------------------------

  place(what) {
    return `shopping-agent.${what} ${this.widget.api.base}`;
  }

  remember(one) {
    // Cards are kept of the last answer only: prices of earlier ones would be old.
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

  /** The turn that no answer came to yet. */
  pending(request) {
    keep(this.place("pending"), request && { request, at: Date.now() });
  }

  /** A page that was left while a turn ran asks for its answer on the next one, under the same id. */
  resume() {
    const left = kept(this.place("pending"));
    if (left && Date.now() - left.at < FRESH_MILLISECONDS) this.run(left.request);
  }
}
