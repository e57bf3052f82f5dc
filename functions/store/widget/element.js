// <shopping-agent>: launcher, panel and drawer in a shadow root, so that no style leaks either way.
import { make } from "../static/dom.js";
import { Api } from "./api.js";
import { Cart } from "./cart.js";
import { Chat } from "./chat.js";
import { fromRight, htmlLanguage, languageOf } from "./format.js";
import { icon } from "./icons.js";
import { keep, kept } from "./memory.js";
import { explain } from "./problems.js";
import { styles } from "./styles.js";
import { texts } from "./texts.js";

const OPEN = "shopping-agent.open";
const NARROW = "(max-width: 480px), (max-height: 480px)";

export class ShoppingAgent extends HTMLElement {
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
    // A page that comes back as it was left knows nothing of what happened since.
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

  // --- what the page around may use -------------------------------------------------------------

  /** Open the panel; with a message, ask it. */
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
    // Back to where it was opened from; the page may have changed since.
    const back = this.opener?.isConnected && this.opener !== this && this.opener !== document.body ? this.opener : this.launcher;
    back.focus();
  }

  openCart() {
    this.open({ focus: false });
    this.showCart(true);
  }

  /** Add a product of the page to the cart that the assistant sees; whether it could be done. */
  add(productId) {
    return this.cart.add({ id: productId });
  }

  /** Which product the page shows, and which page it is: what "this" means in a message. */
  get context() {
    const productId = this.dataset.productId || document.querySelector('meta[name="shopping-agent:product"]')?.content;
    return { page: location.pathname.slice(0, 500), ...(productId ? { productId } : {}) };
  }

  // --- words and looks ------------------------------------------------------------------------

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
    // What is typed here is not for the page's own keys.
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

  /** Where the panel covers the page, the focus stays in it. */
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

  // --- what happens -----------------------------------------------------------------------------

  /** Tell the page what the cart now is. */
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

  /** What a conversation may begin with: the page's suggestions, else the store's own once somebody looks. */
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
