// The widget's own look, inside its shadow root; colours can be set from outside by the custom properties in `:host`.
// Lengths in px: a rem would be the page's, and what a page says of `*` reaches `:host` but not `.frame`.
export const styles = `
:host {
  --agent-accent: #7a4a1e; --agent-on-accent: #fff; --paper: #fbf7f1; --card: #fff; --ink: #2a211a; --soft: #62554a; --line: #8a7d70;
  --hair: #e4d9cb; --good: #2f6b3a; --bad: #9c2f24;
  all: initial; position: fixed; inset-block-end: 16px; inset-inline-end: 16px; z-index: 2147483000;
}
.frame { all: initial; display: block; color-scheme: light; font: 16px/1.45 system-ui, "Noto Sans", "Noto Sans Arabic", sans-serif; color: var(--ink); overflow-wrap: break-word; }
:host([data-scheme="dark"]) {
  --paper: #1c1814; --card: #262019; --ink: #f1e8dc; --soft: #c2b3a2; --line: #94887a; --hair: #43392e; --good: #8fce9b; --bad: #f0a196;
}
:host([data-scheme="dark"]) .frame { color-scheme: dark; }
:host([data-scheme="dark"]:not([data-accent])) { --agent-accent: #e0a868; --agent-on-accent: #1c1814; }
:host([hidden]) { display: none; }
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
h2, h3, p, ul, dl { margin: 0; padding: 0; }
ul { list-style: none; }
button, textarea, a.act { font: inherit; border-radius: 10px; border: 1px solid var(--line); padding: 7.2px 12px; min-height: 40px; background: transparent; color: var(--ink); cursor: pointer; text-decoration: none; }
button.main, a.main { background: var(--agent-accent); border-color: var(--agent-accent); color: var(--agent-on-accent); font-weight: 600; }
button[aria-disabled="true"], button:disabled { opacity: .6; cursor: default; }
:focus-visible { outline: 3px solid var(--agent-accent); outline-offset: 2px; }
.launcher:focus-visible, .main:focus-visible, .me:focus-visible { outline-color: var(--ink); }
.launcher { display: flex; align-items: center; gap: 8px; border-radius: 99px; padding: 11.2px 17.6px; box-shadow: 0 6px 24px rgb(0 0 0 / .28); background: var(--agent-accent); border-color: var(--agent-accent); color: var(--agent-on-accent); font-weight: 600; }
.launcher svg, .head svg { width: 21.6px; height: 21.6px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.badge { min-width: 24px; padding: 0 6.4px; border-radius: 99px; background: var(--card); color: var(--ink); font-size: 13.6px; line-height: 24px; text-align: center; }
.panel { position: fixed; inset-block-end: 16px; inset-inline-end: 16px; width: min(400px, calc(100vw - 32px)); height: min(704px, calc(100dvh - 32px)); display: grid; grid-template-rows: auto auto minmax(0, 1fr) auto auto auto; overflow: hidden;
  background: var(--paper); color: var(--ink); border: 1px solid var(--hair); border-radius: 18px; box-shadow: 0 12px 48px rgb(0 0 0 / .35); }
.panel.cart-open { grid-template-rows: auto minmax(0, 1fr); }
.panel.cart-open > :not(.head, .cart) { display: none; }
.head { display: flex; align-items: center; gap: 8px; padding: 11.2px 14.4px; background: var(--card); border-block-end: 1px solid var(--hair); }
.head h2 { flex: 1; font-size: 16.8px; }
.icon { display: inline-flex; align-items: center; gap: 5.6px; padding: 5.6px 9.6px; }
.icon .badge { background: var(--agent-accent); color: var(--agent-on-accent); }
.small { font-size: 14px; color: var(--soft); }
.notice { padding: 6.4px 14.4px; border-block-end: 1px solid var(--hair); }
.log { overflow-y: auto; padding: 14.4px; display: flex; flex-direction: column; gap: 10.4px; overscroll-behavior: contain; }
.said { white-space: pre-wrap; overflow-wrap: anywhere; padding: 8.8px 12.8px; border-radius: 14px; max-width: 92%; background: var(--card); border: 1px solid var(--hair); align-self: flex-start; }
.said.me { background: var(--agent-accent); color: var(--agent-on-accent); border-color: var(--agent-accent); align-self: flex-end; }
.said.fault { border-color: var(--bad); color: var(--bad); }
.row { display: flex; flex-wrap: wrap; gap: 7.2px; align-items: center; }
.progress { min-height: 30.4px; padding: 3.2px 14.4px; font-size: 14.4px; color: var(--soft); }
.progress.busy::before { content: ""; display: inline-block; width: 9.6px; height: 9.6px; margin-inline-end: 8px; border-radius: 99px; background: var(--agent-accent); animation: pulse 1.1s ease-in-out infinite alternate; }
@keyframes pulse { from { opacity: .25; } to { opacity: 1; } }
.chips { padding: 0 14.4px 8px; max-height: 144px; overflow-y: auto; }
.chips button { min-height: 33.6px; padding: 3.2px 12px; border-radius: 99px; font-size: 14.72px; background: var(--card); text-align: start; max-width: 100%; overflow-wrap: anywhere; }
form { display: grid; grid-template-columns: 1fr auto; gap: 8px; padding: 11.2px 14.4px; border-block-start: 1px solid var(--hair); background: var(--card); align-items: end; }
textarea { resize: none; min-width: 0; background: var(--paper); color: var(--ink); cursor: text; }
textarea::placeholder { color: var(--soft); opacity: 1; }
.cards { display: grid; gap: 9.6px; }
.card { display: grid; grid-template-columns: 80px minmax(0, 1fr); gap: 2.4px 12px; padding: 10.4px; background: var(--card); border: 1px solid var(--hair); border-radius: 14px; align-items: start; }
.card > .picture { grid-row: 1 / span 3; width: 80px; height: 89.6px; }
.picture > * { width: 100%; height: 100%; object-fit: contain; display: block; }
.card h3, .line h3 { font-size: 15.68px; overflow-wrap: anywhere; }
[dir="auto"]:not(textarea, .said) { text-align: -webkit-match-parent; text-align: match-parent; }
h3 a { color: inherit; }
.amount { white-space: nowrap; }
.price { font-weight: 650; }
del { color: var(--soft); font-weight: 400; margin-inline-start: 7.2px; }
.good { color: var(--good); } .bad { color: var(--bad); }
.card > .row, .card > details { grid-column: 1 / -1; }
details { font-size: 14.4px; }
summary { cursor: pointer; min-height: 24px; }
details ul { padding-inline-start: 17.6px; list-style: disc; }
.cart { overflow-y: auto; padding: 14.4px; display: grid; gap: 12.8px; align-content: start; }
.line { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 4.8px 9.6px; padding-block-end: 11.2px; border-block-end: 1px solid var(--hair); align-items: center; }
.line > .row { grid-column: 1 / -1; }
.line .row button { min-width: 40px; padding: 3.2px 8px; }
.foot { display: grid; gap: 8px; position: sticky; bottom: 0; padding-block: 8px; background: var(--paper); border-block-start: 1px solid var(--hair); }
.cart { scroll-padding-block: 16px 128px; }
.total { display: flex; justify-content: space-between; font-weight: 650; font-size: 16.8px; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.act { display: inline-flex; align-items: center; justify-content: center; }
@media (max-width: 480px), (max-height: 480px) {
  .panel { inset: 0; width: 100vw; height: 100dvh; border-radius: 0; border: 0; }
  .launcher > span:not(.badge) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .launcher { padding: 13.6px; }
}
@media (prefers-reduced-motion: reduce) { .progress.busy::before { animation: none; } }
@media (forced-colors: active) { .said, .card, .panel, button { border: 1px solid; } }
`;
