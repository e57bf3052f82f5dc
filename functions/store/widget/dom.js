// Buttons, links and names for what the widget does.
import { make } from "../static/dom.js";

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
