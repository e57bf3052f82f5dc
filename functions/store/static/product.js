// One product: its drawing, live price, sizes, notes pyramid and details, and the assistant who knows which one is shown.
import { artwork } from "/artwork.js";
import { $, addButton, agent, get, language, make, price, productPage, stock, store, tell, value, words } from "/shop.js";

const id = new URLSearchParams(location.search).get("id") ?? "";

function pyramid(notes) {
  const tiers = ["top", "heart", "base"].filter((tier) => notes[tier].length);
  if (!tiers.length) return null;
  return make("section", { "aria-labelledby": "pyramid-title" }, make("h2", { id: "pyramid-title", text: words.pyramid }),
    make("ol", { className: "pyramid" }, ...tiers.map((tier) => make("li", { className: tier },
      make("h3", { text: words[tier] }), make("p", { text: notes[tier].join(" · "), dir: "auto" })))));
}

function details(product) {
  const list = new Intl.ListFormat(language === "ary" ? "ar" : language, { type: "conjunction" });
  const all = (kind, values) => list.format(values.map((one) => value(kind, one)));
  const rows = [
    [words.brand, product.brand], [words.size, product.sizeMl ? `\u2066${product.sizeMl} ml\u2069` : ""], [words.gender, product.gender ? words[product.gender] : ""],
    [words.family, all("family", product.families)], [words.concentration, product.concentration],
    [words.longevity, product.longevity && value("longevity", product.longevity)], [words.sillage, product.sillage && value("sillage", product.sillage)],
    [words.seasons, all("season", product.seasons)], [words.occasions, all("occasion", product.occasions)],
  ].filter(([, text]) => text);
  return make("section", { "aria-labelledby": "details-title" }, make("h2", { id: "details-title", text: words.details }),
    make("dl", {}, ...rows.flatMap(([label, text]) => [make("dt", { text: label }), make("dd", { text, dir: "auto" })])));
}

/** The other sizes of the same product. */
async function sizes(product) {
  if (!product.variantOf) return null;
  const name = product.name.split(" - ")[0];
  const found = await get(`/api/v1/products?limit=50&query=${encodeURIComponent(name)}`).catch(() => ({ products: [] }));
  const family = found.products.filter((one) => one.variantOf === product.variantOf).sort((one, other) => one.sizeMl - other.sizeMl);
  if (family.length < 2) return null;
  return make("nav", { "aria-label": words.sizes, className: "row" }, ...family.map((one) => make("a", {
    href: productPage(one), className: "chip", text: `${one.sizeMl} ml`, ...(one.id === product.id ? { "aria-current": "page" } : {}),
  })));
}

function show(product) {
  document.title = `${product.name} · ${store.name}`;
  agent.dataset.productId = product.id;
  const ask = make("button", { type: "button", className: "quiet", text: words.askThis });
  ask.addEventListener("click", () => agent.open());
  const place = make("div", { className: "sizes" });
  $("product").replaceChildren(
    make("div", { className: "picture large" }, artwork(product)),
    make("div", { className: "stack" },
      make("p", { className: "small", text: product.brand, dir: "auto" }), make("h1", { text: product.name, dir: "auto" }),
      price(product), stock(product), place, make("p", { className: "row" }, addButton(product), ask),
      make("p", { className: "description", text: product.description, dir: "auto" })),
    pyramid(product.notes) ?? "", details(product));
  sizes(product).then((links) => links && place.append(links));
}

try {
  show(await get(`/api/v1/products/${encodeURIComponent(id)}`));
  tell("");
} catch (error) {
  document.title = store.name;
  tell(error.status === 404 || !id ? words.missing : error.message);
}
