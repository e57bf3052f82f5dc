// A product's own drawing: a bottle whose shape and colours follow its id and families. Nothing is fetched.
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

/** The product's picture; where it has none, or it cannot be had, its drawing. */
export function artwork(product) {
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
