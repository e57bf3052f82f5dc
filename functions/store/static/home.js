// The shop's first page: search by words and facets, products in a grid.
import { artwork } from "/artwork.js";
import { $, agent, card, fill, get, make, store, tell, value, words } from "/shop.js";

const FACETS = 8;
const PRICES = [300, 500, 800, 1200];
const HERO = [
  { id: "hero-blossom", families: ["citrus", "fresh"], sizeMl: 50 }, { id: "hero-cedar", families: ["amber", "woody"], sizeMl: 100 },
  { id: "hero-sea", families: ["aquatic", "musk"], sizeMl: 75 },
];
let cursor = null;
let asked = 0;

function parameters() {
  const wanted = new URLSearchParams({ limit: "24" });
  const family = document.querySelector('#families [aria-pressed="true"]')?.textContent ?? "";
  const query = [$("query").value.trim(), family].filter(Boolean).join(" ");
  if (query) wanted.set("query", query);
  if ($("max-price").value) wanted.set("maxPrice", $("max-price").value);
  if ($("gender").value) wanted.set("gender", $("gender").value);
  if ($("in-stock").checked) wanted.set("inStock", "true");
  return wanted;
}

async function show(more = false) {
  const wanted = parameters();
  if (more) wanted.set("cursor", cursor);
  const mine = (asked += 1);
  tell(words.searching);
  try {
    const page = await get(`/api/v1/products?${wanted}`);
    // Only the last question's answer is shown, in whatever order answers come.
    if (mine !== asked) return;
    const cards = page.products.map(card);
    if (more) $("grid").append(...cards); else $("grid").replaceChildren(...cards);
    cursor = page.nextCursor || null;
    $("more").hidden = !cursor;
    if (!$("families").children.length) facets(page.products);
    const count = $("grid").children.length;
    tell(count ? fill(words.found, { n: `\u2066${count}${cursor ? "+" : ""}\u2069` }) : words.nothing);
    if (more) cards[0]?.querySelector("a").focus();
  } catch (error) {
    if (mine !== asked) return;
    tell(`${error.message} `);
    const again = make("button", { type: "button", className: "quiet", text: words.retry });
    again.addEventListener("click", () => show(more));
    $("status").append(again);
  }
}

/** The families that most of the first products are of, as switches. */
function facets(products) {
  const counts = new Map();
  for (const family of products.flatMap((product) => product.families)) counts.set(family, (counts.get(family) ?? 0) + 1);
  const most = [...counts.keys()].sort((one, other) => counts.get(other) - counts.get(one)).slice(0, FACETS);
  $("families").append(...most.map((family) => {
    const chip = make("button", { type: "button", className: "chip", text: value("family", family), "aria-pressed": "false" });
    chip.addEventListener("click", () => {
      const pressed = chip.getAttribute("aria-pressed") !== "true";
      for (const other of $("families").children) other.setAttribute("aria-pressed", "false");
      chip.setAttribute("aria-pressed", String(pressed));
      show();
    });
    return chip;
  }));
  $("families").parentElement.hidden = most.length === 0;
}

$("gender").append(...["", "women", "men", "unisex"].map((value) => make("option", { value, text: words[value || "any"] })));
$("max-price").append(make("option", { value: "", text: words.any }), ...PRICES.map((value) => make("option", { value, text: `≤ ${value} MAD` })));
$("bottles").append(...HERO.map((bottle) => artwork(bottle)));
$("open-agent").addEventListener("click", () => agent.open());
$("search").addEventListener("submit", (event) => { event.preventDefault(); show(); });
for (const id of ["gender", "max-price", "in-stock"]) $(id).addEventListener("change", () => show());
$("more").addEventListener("click", () => show(true));
document.title = store.name;
show();
