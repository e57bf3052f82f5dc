// The demo's checkout page: where a shop's own would be. It asks the API what the signed link carries.
import { money } from "/dom.js";
import { texts } from "/texts.js";

const $ = (id) => document.getElementById(id);

function language() {
  try { return texts[localStorage.getItem("shop.language")] ? localStorage.getItem("shop.language") : "en"; } catch { return "en"; }
}

const spoken = language();
const say = (key) => texts[spoken][key];

function line(item, currency) {
  const row = document.createElement("li");
  const name = document.createElement("span");
  const total = document.createElement("span");
  name.dir = "auto";
  name.textContent = `${item.quantity} × ${item.name}`;
  total.textContent = money(item.lineTotal, currency, spoken);
  row.append(name, total);
  return row;
}

async function show() {
  document.documentElement.lang = spoken;
  document.documentElement.dir = ["ar", "ary"].includes(spoken) ? "rtl" : "ltr";
  document.title = $("title").textContent = say("checkout");
  $("total-label").textContent = say("total");
  $("back").textContent = say("back");
  const token = new URLSearchParams(location.search).get("handoff");
  if (!token) {
    $("status").textContent = say("checkoutExpired");
    return;
  }
  const reply = await fetch(`/api/v1/checkout/${encodeURIComponent(token)}`).catch(() => null);
  if (!reply || !reply.ok) {
    $("status").textContent = say(reply && reply.status === 404 ? "checkoutExpired" : "failed");
    return;
  }
  const given = await reply.json();
  $("status").textContent = say("checkoutDemo");
  $("cart-lines").replaceChildren(...given.lines.map((item) => line(item, given.currency)));
  $("cart-total").textContent = money(given.total, given.currency, spoken);
  document.querySelector(".total").hidden = false;
}

show();
