// The cart as a page: the same cart that the assistant fills, changed through the widget.
import { $, agent, fill, make, money, store, tell, words } from "/shop.js";

function step(label, sign, work) {
  const button = make("button", { type: "button", className: "quiet", text: sign, "aria-label": label });
  button.addEventListener("click", async () => {
    if (button.ariaBusy === "true") return;
    button.ariaBusy = "true";
    await work();
    button.ariaBusy = null;
  });
  return button;
}

function line(item, currency) {
  const set = (quantity) => () => agent.cart.set(item, quantity);
  const name = { name: item.name };
  return make("li", {},
    make("h2", { dir: "auto" }, make("a", { href: `/product.html?id=${encodeURIComponent(item.productId)}`, text: item.name })),
    make("p", { className: "price", text: money(item.lineTotal, currency) }),
    make("div", { className: "row" },
      step(fill(words.less, name), "−", set(item.quantity - 1)),
      make("span", {}, make("span", { className: "hidden", text: `${words.quantity} ` }), String(item.quantity)),
      step(fill(words.oneMore, name), "+", set(item.quantity + 1)), step(fill(words.remove, name), "×", set(0)),
      item.notice ? make("span", { className: "small bad", text: words[item.notice] }) : null));
}

function show(cart) {
  const items = cart?.items ?? [];
  const focused = document.activeElement?.getAttribute("aria-label");
  $("lines").replaceChildren(...items.map((item) => line(item, cart.currency)));
  $("empty").hidden = items.length > 0;
  $("sum").hidden = $("checkout").hidden = $("clear").hidden = items.length === 0;
  $("undo").hidden = !agent.cart?.undoable;
  if (items.length) $("total").textContent = money(cart.total, cart.currency);
  if (focused) [...document.querySelectorAll("#lines button")].find((one) => one.getAttribute("aria-label") === focused)?.focus();
}

$("undo").addEventListener("click", () => agent.cart.undo());
$("clear").addEventListener("click", () => agent.cart.change("DELETE", "/api/v1/cart"));
$("checkout").addEventListener("click", () => agent.cart.checkOut());
agent.addEventListener("shopping-agent:cart", (event) => { show(event.detail.cart); tell(""); });
customElements.whenDefined("shopping-agent").then(() => show(agent.cart?.content));
document.title = `${words.cart} · ${store.name}`;
