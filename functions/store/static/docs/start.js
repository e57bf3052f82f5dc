// Relative, so that the page works behind a stage prefix too.
window.SwaggerUIBundle({ url: "openapi.json", dom_id: "#api", deepLinking: true, validatorUrl: null });
