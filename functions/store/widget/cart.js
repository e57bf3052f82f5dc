// The shopper's real cart: shown in the drawer, changed through the API, the same in every tab and in the page around.
import { cartLine } from "./cards.js";
import { address, button } from "./dom.js";
import { fill, make, money } from "../static/dom.js";

const FORGOTTEN = "forgotten";

export class Cart {
  /** @param {object} widget what the drawer needs of the widget: api, texts, language, say, fail, announce */
  constructor(widget) {
    this.widget = widget;
    this.content = null;
    this.undoable = false;
    this.drawer = make("section", { className: "cart", hidden: true, tabIndex: -1 });
  }

  /** Hear of changes in other tabs. */
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

  /** Show a cart that the API gave; an older one of a reply that came late is left aside. */
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
    // What was pressed is drawn anew: the focus goes to what took its place, else to the drawer.
    if (focused && !this.drawer.hidden) {
      const again = [...this.drawer.querySelectorAll("button")].find((one) => one.getAttribute("aria-label") === focused);
      (again ?? this.drawer).focus();
    }
  }

  /** What the button that opens the drawer is called. */
  label() {
    return fill(this.widget.texts.cartOpen, { n: this.count });
  }
}
