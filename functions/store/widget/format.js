// Languages, and texts in which each name and amount keeps its order.
import { make } from "../static/dom.js";

/** The best of our languages for a locale such as `fr-MA`: en, fr, ar, ary, ary-latn. */
export function languageOf(locale, known) {
  const tag = String(locale || "").toLowerCase().replaceAll("_", "-");
  const latin = tag.startsWith("ary-latn") ? "ary-latn" : tag.split("-")[0];
  return known.includes(latin) ? latin : "en";
}

/** Whether a language is written from the right. */
export const fromRight = (language) => language === "ar" || language === "ary";

/** The language of a text in our code, as HTML's `lang` names it. */
export const htmlLanguage = (language) => (language === "ary-latn" ? "ary-Latn" : language);

/** A text as nodes in which each name and amount stands by itself, so that a line from the right keeps their order. */
export function isolated(text, names) {
  const known = names.filter(Boolean).sort((one, other) => other.length - one.length).map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const apart = new RegExp([...known, "\\d[\\d.,]*[ \u00a0][A-Z]{3}(?![A-Za-z])"].join("|"), "g");
  const nodes = [];
  let end = 0;
  for (const found of text.matchAll(apart)) {
    nodes.push(text.slice(end, found.index), make("bdi", { text: found[0], className: names.includes(found[0]) ? "" : "amount" }));
    end = found.index + found[0].length;
  }
  return [...nodes, text.slice(end)];
}
