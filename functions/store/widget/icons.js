// Line drawings of the buttons; the words are beside them or in their labels.
const SVG = "http://www.w3.org/2000/svg";
const PATHS = {
  talk: ["M4 5h16v11H9l-5 4z"],
  cart: ["M3 4h2l2.2 11h10.4L20 7H6", "M9 20h.01", "M17 20h.01"],
  close: ["M6 6l12 12", "M18 6L6 18"],
};

export function icon(name) {
  const drawing = document.createElementNS(SVG, "svg");
  for (const [attribute, value] of [["viewBox", "0 0 24 24"], ["aria-hidden", "true"], ["focusable", "false"]]) drawing.setAttribute(attribute, value);
  for (const path of PATHS[name]) {
    const line = document.createElementNS(SVG, "path");
    line.setAttribute("d", path);
    drawing.append(line);
  }
  return drawing;
}
