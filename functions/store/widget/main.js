// The script tag becomes the widget: its data-* attributes are the widget's.
import { ShoppingAgent } from "./element.js";

const script = document.currentScript;

if (!customElements.get("shopping-agent")) customElements.define("shopping-agent", ShoppingAgent);

function mount() {
  if (document.querySelector("shopping-agent")) return;
  const element = document.createElement("shopping-agent");
  // Without data-api the API is where the script came from.
  Object.assign(element.dataset, { api: script?.src ? new URL(script.src).origin : "", ...script?.dataset });
  document.body.append(element);
}

if (script && script.dataset.mount !== "off") {
  if (document.body) mount();
  else addEventListener("DOMContentLoaded", mount);
}
