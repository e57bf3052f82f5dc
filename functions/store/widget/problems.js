// What went wrong, in words for the shopper.
import { fill } from "../static/dom.js";

/** Refusals that the widget says in its own words; the API's, in English, say more to who reads English. */
const REFUSALS = {
  out_of_stock: "outOfStock", unknown_product: "gone", cart_limit: "cartLimit", nothing_to_undo: "nothingToUndo", lines_unavailable: "linesUnavailable",
  empty_cart: "cartEmpty",
};

export function explain(error, texts, language) {
  if (error.status === 0) return texts.offline;
  if (error.status === 429) return fill(texts.busy, { n: error.retryAfter || 30 });
  if (error.code === "assistant_off") return texts.off;
  if (language !== "en" && REFUSALS[error.code]) return texts[REFUSALS[error.code]];
  // Refusals of the cart say in words what would work; a server's other faults say nothing to a shopper.
  return error.status < 500 && error.message ? error.message : texts.failed;
}
