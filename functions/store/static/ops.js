// The operators' page: asks for the token once a visit, and shows what the functions recorded. All of it is text.
import { make } from "/dom.js";

const $ = (id) => document.getElementById(id);
const KEY = "ops.token";
const LATE_MS = 36 * 3600 * 1000;
const SVG = "http://www.w3.org/2000/svg";
const number = new Intl.NumberFormat("en");
const dollars = new Intl.NumberFormat("en", { style: "currency", currency: "USD", maximumFractionDigits: 4 });

// A token is kept for this tab only.
let token = read();

function read() {
  try { return sessionStorage.getItem(KEY) ?? ""; } catch { return ""; }
}

function keep(value) {
  token = value;
  try {
    if (value) sessionStorage.setItem(KEY, value);
    else sessionStorage.removeItem(KEY);
  } catch { /* asked for again after the next load */ }
}

class RefusedError extends Error {}

async function statistics(days) {
  const headers = { authorization: `Bearer ${token}` };
  const reply = await fetch(`/api/v1/ops/statistics?days=${days}`, { headers, signal: AbortSignal.timeout(15_000) });
  const data = await reply.json().catch(() => ({}));
  if (reply.ok) return data;
  if (reply.status === 401) throw new RefusedError("This is not the operator's token.");
  if (reply.status === 404) throw new RefusedError(data.detail ?? "This shop has no operator page.");
  throw new Error(data.detail ?? "The shop does not answer. Try again in a moment.");
}

async function show() {
  tell("Loading…");
  $("refresh").setAttribute("aria-busy", "true");
  try {
    const data = await statistics($("days").value);
    $("report").replaceChildren(...report(data));
    open(true);
    tell(`${data.from === data.until ? data.until : `${data.from} to ${data.until}`}, read at ${new Date().toLocaleTimeString("en-GB")}`);
  } catch (error) {
    if (error instanceof RefusedError) {
      keep("");
      open(false);
    }
    const known = error instanceof RefusedError || !(error instanceof TypeError || error.name === "TimeoutError");
    tell(known ? error.message : "The shop does not answer. Try again in a moment.");
  } finally {
    $("refresh").removeAttribute("aria-busy");
  }
}

const tell = (text) => { $("status").textContent = text; };

function open(admitted) {
  $("entry").hidden = admitted;
  $("controls").hidden = !admitted;
  $("report").hidden = !admitted;
  if (!admitted) $("token").focus();
}

// --- what is shown -------------------------------------------------------------------------------

function report({ days, totals, searches, questions, files }) {
  const plots = days.length > 1 ? days.map(({ date, ...day }) => ({ label: date.slice(5), ...day })) : hours(totals);
  return [
    section("Key figures", figures(totals)),
    section(
      days.length > 1 ? "Day by day" : "Hour by hour (UTC)",
      make("div", { className: "plots" }, ...[
        plot("Turns", plots, (one) => one.turns, number.format),
        days.length > 1 && plot("Slow turns: 95 % are quicker, in milliseconds", plots, (one) => one.durations.p95 ?? 0, number.format),
        days.length > 1 && plot("Cost in dollars", plots, (one) => one.cost, dollars.format),
      ].filter(Boolean)),
    ),
    section("Conversations", make("div", { className: "tables" },
      counts("What messages were for", totals.intents),
      counts("How they were answered", totals.routes),
      counts("How turns ended", totals.finishes),
      counts("Languages", totals.languages),
      counts("What turns did to carts", totals.actions),
      counts("Changes that were refused", totals.refusals),
      counts("Models' texts, when checked", totals.verdicts),
      counts("Failures of models", totals.failures),
    )),
    section("Language models", panel("", table(["Model", "Calls", "Tokens", "Cost"], totals.models.map((one) => [
      one.model, one.calls, one.tokens, one.cost === null ? "not known" : dollars.format(one.cost),
    ])))),
    section("What shoppers did not find", make("div", { className: "tables" },
      panel("Searches that nothing met", texts(searches)),
      panel("Questions without an answer", texts(questions)),
    )),
    section("Catalog files", panel("", table(
      ["File", "When", "Status", "Read", "Rejected", "Changed", "Removed", "Why not"],
      [...files.filter(troubled), ...files.filter((one) => !troubled(one))].map(file),
    ))),
  ];
}

function figures(totals) {
  const share = (part) => (totals.turns ? ` (${Math.round((100 * part) / totals.turns)} %)` : "");
  const seconds = (ms) => (ms === null ? "–" : `${(ms / 1000).toFixed(1)} s`);
  const revenue = totals.revenue.map((one) => `${number.format(one.amount)} ${one.currency}`).join(", ");
  const orders = totals.revenue.reduce((sum, one) => sum + one.orders, 0);
  const shown = {
    "Turns": number.format(totals.turns),
    "Half of the turns take at most": seconds(totals.durations.p50),
    "95 % of the turns": seconds(totals.durations.p95),
    "Unanswered questions": number.format(totals.unanswered) + share(totals.unanswered),
    "Searches that nothing met": number.format(totals.fruitlessSearches),
    "Cost of language models": dollars.format(totals.cost),
    "Assisted revenue": revenue || "–",
    "Assisted orders": number.format(orders),
  };
  return make("dl", { className: "figures" }, ...Object.entries(shown).map(([name, value]) =>
    make("div", {}, make("dt", { text: name, className: "small" }), make("dd", { text: value }))));
}

function hours(totals) {
  return Array.from({ length: 24 }, (_, hour) => {
    const label = String(hour).padStart(2, "0");
    return { label, turns: totals.hours[label] ?? 0 };
  });
}

const troubled = ({ status }) => status === "refused" || status === "failed";

function file({ source, status, error, startedAt, counts: done }) {
  const changed = done.added + done.updated + done.repriced;
  const cell = make("span", { text: status, className: troubled({ status }) ? "bad" : "good" });
  return [source, age(startedAt), cell, done.read, done.rejected, changed, done.removed, error ? error.message : ""];
}

/** How long ago; what is old is said to be. */
function age(moment) {
  const passed = Date.now() - Date.parse(moment);
  const hoursAgo = Math.floor(passed / 3_600_000);
  const text = hoursAgo < 1 ? "within the hour" : hoursAgo < 48 ? `${hoursAgo} h ago` : `${Math.floor(hoursAgo / 24)} days ago`;
  return make("time", { text, dateTime: moment, title: moment, className: passed > LATE_MS ? "bad" : "" });
}

const texts = (rows) => table(["Text", "Times"], rows.map(({ text, count }) => [make("span", { text, dir: "auto" }), count]));

const counts = (title, values) => panel(title, table(["", "Times"], Object.entries(values).sort((a, b) => b[1] - a[1])));

// --- the parts of a page -------------------------------------------------------------------------

const section = (title, content) => make("section", {}, make("h2", { text: title }), content);

function panel(title, ...content) {
  return make("div", { className: "panel" }, title && make("h3", { text: title }), ...content);
}

/** A table whose columns of numbers stand to the right; without rows it says so. */
function table(heads, rows) {
  if (!rows.length) return make("p", { className: "small", text: "Nothing yet." });
  const numeric = heads.map((_, column) => rows.every((row) => typeof row[column] === "number"));
  const cell = (tag, content, column, properties = {}) => {
    const text = typeof content === "number" ? number.format(content) : content;
    const node = make(tag, { className: numeric[column] ? "number" : "", ...properties });
    node.append(text);
    return node;
  };
  const head = make("tr", {}, ...heads.map((text, column) =>
    (text ? cell("th", text, column, { scope: "col" }) : make("th", { scope: "col" }, make("span", { className: "hidden", text: "What" })))));
  const body = rows.map((row) => make("tr", {}, ...row.map((content, column) => cell("td", content, column))));
  // Wide tables scroll by themselves, by the keyboard too.
  return make("div", { className: "scroll", tabIndex: 0, role: "group", "aria-label": heads.filter(Boolean).join(", ") },
    make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)));
}

function plot(title, rows, valueOf, format) {
  const width = 320, height = 120, base = 100;
  const values = rows.map(valueOf);
  const top = Math.max(...values, 0);
  const step = width / rows.length;
  const drawn = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title}: at most ${format(top)}` });
  drawn.append(draw("line", { class: "axis", x1: 0, y1: base, x2: width, y2: base }));
  rows.forEach((row, index) => {
    const tall = top ? (values[index] / top) * (base - 14) : 0;
    const bar = draw("rect", { class: "bar", x: index * step + step * 0.15, y: base - tall, width: step * 0.7, height: tall });
    bar.append(draw("title", {}, `${row.label}: ${format(values[index])}`));
    drawn.append(bar);
    const every = Math.ceil(rows.length / 8);
    if (index % every === 0) drawn.append(draw("text", { x: index * step + step / 2, y: height - 6, "text-anchor": "middle" }, row.label));
  });
  if (top) drawn.append(draw("text", { x: 0, y: 10 }, format(top)));
  const listed = make("details", {}, make("summary", { text: "As a table" }),
    table(["When", "How much"], rows.map((row, index) => [row.label, format(values[index])])));
  return panel(title, drawn, listed);
}

function draw(tag, attributes, text) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

// --- what can be done ----------------------------------------------------------------------------

$("entry").addEventListener("submit", (event) => {
  event.preventDefault();
  keep($("token").value.trim());
  $("token").value = "";
  show();
});
$("controls").addEventListener("submit", (event) => {
  event.preventDefault();
  show();
});
$("days").addEventListener("change", show);
$("leave").addEventListener("click", () => {
  keep("");
  $("report").replaceChildren();
  open(false);
  tell("");
});

if (token) show();
else open(false);
