// Elements made by hand: text is set as text, never read as markup.

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
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** A button that cannot be pressed again before its work is done; `work` gets the button. */
export function button(text, work, properties = {}) {
  const node = make("button", { type: "button", text, ...properties });
  node.addEventListener("click", async () => {
    if (node.ariaDisabled === "true") return;
    // Not `disabled`: that would take the focus away from who works with the keyboard.
    node.ariaDisabled = "true";
    try {
      await work(node);
    } finally {
      node.ariaDisabled = null;
    }
  });
  return node;
}

/** A link's whole address if it may be followed: the web, a telephone, a letter. Others (javascript:, data:) are null. */
export function address(url, { web = false } = {}) {
  try {
    const whole = new URL(url, web && url ? location.href : undefined);
    return ["http:", "https:", ...(web ? [] : ["tel:", "mailto:"])].includes(whole.protocol) ? whole.href : null;
  } catch {
    return null;
  }
}

/** An identifier that nobody else has; `crypto.randomUUID` exists only on secure pages. */
export function unique() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
