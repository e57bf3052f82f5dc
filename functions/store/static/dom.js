// Small help with a page's elements. What it is given as text stays text.
export const $ = (id) => document.getElementById(id);

export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

export function element(tag, { text, ...properties } = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-")) node.setAttribute(name, value);
    else node[name] = value;
  }
  if (text !== undefined) node.textContent = text;
  node.append(...children.filter(Boolean));
  return node;
}
