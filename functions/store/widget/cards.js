// Products and cart lines as cards, from the API's products and cart only.
import { artwork } from "../static/artwork.js";
import { address, button } from "./dom.js";
import { fill, make, money } from "../static/dom.js";

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

/** The product's page, in the same tab where it is of the same site: the conversation goes along. */
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

/** A product with its live price, stock, reasons and a button that adds it; `page` is its page's address with `{id}`. */
export function productCard(product, { texts, language, page, add }) {
  // Most names say the size; where they do not, it stands beside the brand.
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

/** A line of the cart; `set` changes its quantity, 0 removes it. */
export function cartLine(line, currency, { texts, language, set }) {
  const step = (label, sign, quantity) => button(sign, () => set(line, quantity), { "aria-label": fill(label, { name: line.name }) });
  return make("li", { className: "line" },
    make("h3", { text: line.name, dir: "auto" }), make("span", { className: "price", text: money(line.lineTotal, currency, language) }),
    make("div", { className: "row" },
      step(texts.less, "−", line.quantity - 1),
      make("span", {}, make("span", { className: "hidden", text: `${texts.quantity} ` }), String(line.quantity)),
      step(texts.more, "+", line.quantity + 1), step(texts.remove, "×", 0),
      line.notice && texts[line.notice] ? make("span", { className: "small bad", text: texts[line.notice] }) : null));
}
