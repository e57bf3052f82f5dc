// The widget's own look, inside its shadow root; colours can be set from outside by the custom properties in `:host`.
export const styles = `
:host {
  --agent-accent: #7a4a1e; --agent-on-accent: #fff; --paper: #fbf7f1; --card: #fff; --ink: #2a211a; --soft: #62554a; --line: #8a7d70;
  --hair: #e4d9cb; --good: #2f6b3a; --bad: #9c2f24;
  all: initial; position: fixed; inset-block-end: 1rem; inset-inline-end: 1rem; z-index: 2147483000; color-scheme: light;
  font: 16px/1.45 system-ui, "Noto Sans", "Noto Sans Arabic", sans-serif; color: var(--ink);
}
:host([data-scheme="dark"]) {
  --paper: #1c1814; --card: #262019; --ink: #f1e8dc; --soft: #c2b3a2; --line: #94887a; --hair: #43392e; --good: #8fce9b; --bad: #f0a196;
  color-scheme: dark;
}
:host([data-scheme="dark"]:not([data-accent])) { --agent-accent: #e0a868; --agent-on-accent: #1c1814; }
:host([hidden]) { display: none; }
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
h2, h3, p, ul, dl { margin: 0; padding: 0; }
ul { list-style: none; }
button, textarea, a.act { font: inherit; border-radius: 10px; border: 1px solid var(--line); padding: .45rem .75rem; min-height: 2.5rem; background: transparent; color: var(--ink); cursor: pointer; text-decoration: none; }
button.main, a.main { background: var(--agent-accent); border-color: var(--agent-accent); color: var(--agent-on-accent); font-weight: 600; }
button[aria-disabled="true"], button:disabled { opacity: .6; cursor: default; }
:focus-visible { outline: 3px solid var(--agent-accent); outline-offset: 2px; }
.launcher:focus-visible, .main:focus-visible, .me:focus-visible { outline-color: var(--ink); }
.launcher { display: flex; align-items: center; gap: .5rem; border-radius: 99px; padding: .7rem 1.1rem; box-shadow: 0 6px 24px rgb(0 0 0 / .28); background: var(--agent-accent); border-color: var(--agent-accent); color: var(--agent-on-accent); font-weight: 600; }
.launcher svg, .head svg { width: 1.35rem; height: 1.35rem; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.badge { min-width: 1.5rem; padding: 0 .4rem; border-radius: 99px; background: var(--card); color: var(--ink); font-size: .85rem; line-height: 1.5rem; text-align: center; }
.panel { position: fixed; inset-block-end: 1rem; inset-inline-end: 1rem; width: min(25rem, calc(100vw - 2rem)); height: min(44rem, calc(100dvh - 2rem)); display: grid; grid-template-rows: auto auto minmax(0, 1fr) auto auto auto; overflow: hidden;
  background: var(--paper); color: var(--ink); border: 1px solid var(--hair); border-radius: 18px; box-shadow: 0 12px 48px rgb(0 0 0 / .35); }
.panel.cart-open { grid-template-rows: auto minmax(0, 1fr); }
.panel.cart-open > :not(.head, .cart) { display: none; }
.head { display: flex; align-items: center; gap: .5rem; padding: .7rem .9rem; background: var(--card); border-block-end: 1px solid var(--hair); }
.head h2 { flex: 1; font-size: 1.05rem; }
.icon { display: inline-flex; align-items: center; gap: .35rem; padding: .35rem .6rem; }
.icon .badge { background: var(--agent-accent); color: var(--agent-on-accent); }
.small { font-size: .875rem; color: var(--soft); }
.notice { padding: .4rem .9rem; border-block-end: 1px solid var(--hair); }
.log { overflow-y: auto; padding: .9rem; display: flex; flex-direction: column; gap: .65rem; overscroll-behavior: contain; }
.said { white-space: pre-wrap; overflow-wrap: anywhere; padding: .55rem .8rem; border-radius: 14px; max-width: 92%; background: var(--card); border: 1px solid var(--hair); align-self: flex-start; }
.said.me { background: var(--agent-accent); color: var(--agent-on-accent); border-color: var(--agent-accent); align-self: flex-end; }
.said.fault { border-color: var(--bad); color: var(--bad); }
.row { display: flex; flex-wrap: wrap; gap: .45rem; align-items: center; }
.progress { min-height: 1.9rem; padding: .2rem .9rem; font-size: .9rem; color: var(--soft); }
.progress.busy::before { content: ""; display: inline-block; width: .6rem; height: .6rem; margin-inline-end: .5rem; border-radius: 99px; background: var(--agent-accent); animation: pulse 1.1s ease-in-out infinite alternate; }
@keyframes pulse { from { opacity: .25; } to { opacity: 1; } }
.chips { padding: 0 .9rem .5rem; max-height: 9rem; overflow-y: auto; }
.chips button { min-height: 2.1rem; padding: .2rem .75rem; border-radius: 99px; font-size: .92rem; background: var(--card); text-align: start; }
form { display: grid; grid-template-columns: 1fr auto; gap: .5rem; padding: .7rem .9rem; border-block-start: 1px solid var(--hair); background: var(--card); align-items: end; }
textarea { resize: none; min-width: 0; background: var(--paper); color: var(--ink); cursor: text; }
textarea::placeholder { color: var(--soft); opacity: 1; }
.cards { display: grid; gap: .6rem; }
.card { display: grid; grid-template-columns: 5rem minmax(0, 1fr); gap: .15rem .75rem; padding: .65rem; background: var(--card); border: 1px solid var(--hair); border-radius: 14px; align-items: start; }
.card > .picture { grid-row: 1 / span 3; width: 5rem; height: 5.6rem; }
.picture > * { width: 100%; height: 100%; object-fit: contain; display: block; }
.card h3, .line h3 { font-size: .98rem; overflow-wrap: anywhere; }
[dir="auto"]:not(textarea, .said) { text-align: -webkit-match-parent; text-align: match-parent; }
h3 a { color: inherit; }
.amount { white-space: nowrap; }
.price { font-weight: 650; }
del { color: var(--soft); font-weight: 400; margin-inline-start: .45rem; }
.good { color: var(--good); } .bad { color: var(--bad); }
.card > .row, .card > details { grid-column: 1 / -1; }
details { font-size: .9rem; }
summary { cursor: pointer; min-height: 1.5rem; }
details ul { padding-inline-start: 1.1rem; list-style: disc; }
.cart { overflow-y: auto; padding: .9rem; display: grid; gap: .8rem; align-content: start; }
.line { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .3rem .6rem; padding-block-end: .7rem; border-block-end: 1px solid var(--hair); align-items: center; }
.line > .row { grid-column: 1 / -1; }
.line .row button { min-width: 2.5rem; padding: .2rem .5rem; }
.foot { display: grid; gap: .5rem; position: sticky; bottom: 0; padding-block: .5rem; background: var(--paper); border-block-start: 1px solid var(--hair); }
.cart { scroll-padding-block: 1rem 8rem; }
.total { display: flex; justify-content: space-between; font-weight: 650; font-size: 1.05rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.act { display: inline-flex; align-items: center; justify-content: center; }
@media (max-width: 30rem), (max-height: 30rem) {
  .panel { inset: 0; width: 100vw; height: 100dvh; border-radius: 0; border: 0; }
  .launcher > span:not(.badge) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .launcher { padding: .85rem; }
}
@media (prefers-reduced-motion: reduce) { .progress.busy::before { animation: none; } }
@media (forced-colors: active) { .said, .card, .panel, button { border: 1px solid; } }
`;
