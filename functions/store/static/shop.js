// What every page of the demo shop shares: language, labels, prices, product cards, and the cart of the assistant's widget.
import { artwork } from "/artwork.js";
import { fill, make, money as written } from "/dom.js";
import { texts } from "/texts.js";

export { fill, make };
export const $ = (id) => document.getElementById(id);

function read(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}

export const language = texts[read("shop.language")] ? read("shop.language") : "en";
export const words = texts[language];
// Before anything is waited for: who is in a hurry may choose a language at once.
$("language").value = language;
$("language").addEventListener("change", (event) => {
  try { localStorage.setItem("shop.language", event.target.value); } catch { /* asked again on the next page */ }
  location.reload();
});
/** Who the store is: its name, what to ask it, its words for what products are. Without it the page does with its own. */
export const store = await get(`/api/v1/store?locale=${language}-MA`).catch(() => ({ name: words.shop, suggestions: [], values: {} }));
export const value = (kind, one) => store.values[`${kind}.${one}`] ?? one;
/** The widget: session, cart and conversation are its. */
export const agent = document.querySelector("shopping-agent");

export const money = (amount, currency) => written(amount, currency, language);

/** What the API says to a question; its refusal as an error in its words. */
export async function get(path) {
  const reply = await fetch(path, { signal: AbortSignal.timeout(15_000) });
  const data = await reply.json().catch(() => ({}));
  if (reply.ok) return data;
  throw Object.assign(new Error(reply.status < 500 ? data.detail ?? words.failed : words.failed), { status: reply.status });
}

export const productPage = (product) => `/product.html?id=${encodeURIComponent(product.id)}`;

export function price(product) {
  const now = make("p", { className: "price", text: money(product.price, product.currency) });
  if (product.compareAtPrice) {
    now.append(make("del", {}, make("span", { className: "hidden", text: words.was }), money(product.compareAtPrice, product.currency)));
  }
  return now;
}

export function stock(product) {
  if (!product.inStock) return make("p", { className: "small bad", text: words.outOfStock });
  if (product.stock !== null && product.stock <= 2) return make("p", { className: "small bad", text: fill(words.few, { n: product.stock }) });
  return make("p", { className: "small good", text: words.inStock });
}

/** A button that adds a product to the cart of page and assistant, once for each press. */
export function addButton(product) {
  const button = make("button", { type: "button", text: words.add, disabled: !product.inStock, "aria-label": fill(words.addNamed, { name: product.name }) });
  button.addEventListener("click", async () => {
    if (button.ariaBusy === "true") return;
    button.ariaBusy = "true";
    const done = await agent.add(product.id);
    button.ariaBusy = null;
    if (done) tell(fill(words.added, { name: product.name }));
  });
  return button;
}

export function card(product) {
  const notes = [...product.notes.top, ...product.notes.heart, ...product.notes.base].slice(0, 4).join(", ");
  const link = make("a", { href: productPage(product), text: product.name });
  return make("li", { className: "product" },
    make("div", { className: "picture" }, artwork(product)),
    make("p", { className: "small", text: product.brand, dir: "auto" }),
    make("div", {}, make("h2", { dir: "auto" }, link), make("p", { className: "small", text: notes, dir: "auto" })),
    price(product), stock(product), addButton(product));
}

/** Say something that is read aloud as well. */
export function tell(text) {
  $("status").textContent = text;
}

function dress() {
  document.documentElement.lang = language;
  document.documentElement.dir = language === "ar" || language === "ary" ? "rtl" : "ltr";
  for (const node of document.querySelectorAll("[data-text]")) node.textContent = words[node.dataset.text];
  for (const node of document.querySelectorAll("[data-store]")) node.textContent = store.name;
  for (const node of document.querySelectorAll("[data-placeholder]")) node.placeholder = words[node.dataset.placeholder];
  agent.dataset.locale = `${language}-MA`;
  agent.dataset.suggestions = store.suggestions.join("|");
}

function showCount(cart) {
  const count = cart?.count ?? 0;
  $("cart-count").textContent = count;
  $("cart-count").hidden = count === 0;
  $("cart-link").setAttribute("aria-label", fill(words.cartOf, { n: count }));
}

dress();
customElements.whenDefined("shopping-agent").then(() => showCount(agent.cart?.content));
agent.addEventListener("shopping-agent:cart", (event) => showCount(event.detail.cart));
agent.addEventListener("shopping-agent:problem", (event) => tell(event.detail));
