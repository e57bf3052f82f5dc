// Elements made by hand, amounts and filled-in words, for the shop's pages and the widget: text is set as text, never read as markup.

/** An element. `text` is its text, `on` its listeners, names with a dash or of `role` and `for` are attributes. */
export function make(tag, { text, on = {}, ...properties } = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.includes("-") || name === "role" || name === "for") node.setAttribute(name, value);
    else node[name] = value;
  }
  if (text !== undefined) node.textContent = text;
  for (const [event, listener] of Object.entries(on)) node.addEventListener(event, listener);
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** 690 MAD, 690.50 MAD, in French 690,50 MAD: as the assistant writes it, and kept together in text from right to left. */
export function money(amount, currency, language) {
  const digits = Number.isInteger(amount) ? 0 : 2;
  const format = new Intl.NumberFormat(language === "fr" ? "fr" : "en", { useGrouping: false, minimumFractionDigits: digits });
  return `\u2066${format.format(amount)} ${currency}\u2069`;
}

/** A text with its `{names}` filled in. */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}
