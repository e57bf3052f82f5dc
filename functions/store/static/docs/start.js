// Relative, so that the page works behind a stage prefix too. A link within an operation's button could not be reached by
// keyboard, so there are no deep links; the one server is where the page comes from; colours of examples lack contrast.
const page = document.getElementById("api");

/** What Swagger UI leaves out for those who do not see it: names of choices, levels of headings, scrolling by keyboard. */
function mend() {
  for (const choice of page.querySelectorAll("select:not([aria-label])")) choice.setAttribute("aria-label", "Example or media type");
  level("h3.opblock-tag, section.models > h4", 2);
  level(".opblock-body h4, .opblock-body h5", 3);
  for (const example of page.querySelectorAll("pre:not([tabindex])")) example.tabIndex = 0;
}

function level(headings, depth) {
  for (const heading of page.querySelectorAll(headings)) {
    heading.setAttribute("role", "heading");
    heading.setAttribute("aria-level", depth);
  }
}

new MutationObserver(mend).observe(page, { childList: true, subtree: true });
window.SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#api",
  deepLinking: false,
  validatorUrl: null,
  syntaxHighlight: { activated: false },
  plugins: [() => ({ wrapComponents: { ServersContainer: () => () => null } })],
});
