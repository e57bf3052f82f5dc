"""The same faults in other words, other languages and other shapes than the documented ones."""

import json

import pytest
from shopping_agent.adapters.llm.faults import fault_of

PROVIDERS = ("gemini", "groq", "xai", "openai")

WORDED = [
    (429, "Vous avez dépassé votre quota quotidien", "quota_exhausted"),
    (429, "Tägliches Kontingent überschritten", "quota_exhausted"),
    (429, "Has superado la cuota diaria", "quota_exhausted"),
    (429, "您的每日配额已用完", "quota_exhausted"),
    (429, "Limit reached for the day", "quota_exhausted"),
    (429, "24 hour limit reached", "quota_exhausted"),
    (429, "余额不足", "quota_exhausted"),
    (429, "Solde insuffisant", "quota_exhausted"),
    (429, "Crédits épuisés", "quota_exhausted"),
    (429, "Saldo insuficiente", "quota_exhausted"),
    (429, "You have reached your hourly limit", "rate_limited"),
    (429, "Concurrency limit reached", "rate_limited"),
    (429, "Limite atteinte, réessayez dans 20 secondes", "rate_limited"),
    (403, "Key limit exceeded (total limit)", "quota_exhausted"),
    (400, "Range of input length should be [1, 98304]", "too_large"),
    (400, "La requête est trop longue", "too_large"),
    (400, "Die Anfrage ist zu lang", "too_large"),
    (
        400,
        "decoder prompt (length 9000) is longer than the maximum model length of 4096",
        "too_large",
    ),
    (422, "inputs tokens + max_new_tokens must be <= 4096. Given: 5000", "too_large"),
    (400, "model: gemini-2.5 is shutting down", "model_gone"),
    (400, "No endpoints found for x/y.", "model_gone"),
    (400, "x/y is not a valid model ID", "model_gone"),
    (400, "Le modèle demandé n'existe pas", "model_gone"),
    (400, "The requested model was removed on 2026-01-01", "model_gone"),
    (400, "model has reached end of life", "model_gone"),
    (400, "model is EOL", "model_gone"),
    (400, "Clé API invalide", "auth"),
    (400, "Ungültiger API-Schlüssel", "auth"),
    (400, "Invalid token", "auth"),
    (403, "Your request was flagged by our moderation", "content_refused"),
    (400, "Output data may contain inappropriate content.", "content_refused"),
    (400, "sensitive content detected", "content_refused"),
    # what only sounds like one of these
    (400, "The 'x' field is invalid", "bad_request"),
    (400, "Invalid token in JSON at position 3", "bad_request"),
    (400, "messages[1].content must be a string", "bad_request"),
    (403, "Your account was flagged for abuse", "auth"),
    (403, "Requests from this region are prohibited", "auth"),
    (200, "Rate limit exceeded", "rate_limited"),
    (200, "Too many requests, slow down", "rate_limited"),
    (200, "Incorrect API key provided", "auth"),
    (200, "The model x does not exist", "model_gone"),
    (200, "context length exceeded", "too_large"),
    (200, "Insufficient credits", "quota_exhausted"),
    (200, "Something broke", "overloaded"),
]


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(("status", "text", "kind"), WORDED)
def test_a_fault_is_known_by_its_words_wherever_they_stand(status, text, kind, provider):
    for body in ({"error": {"message": text}}, {"error": text}, [{"error": {"message": text}}]):
        assert fault_of(status, {}, json.dumps(body), provider=provider).kind == kind


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (3, "bad_request"),
        (5, "model_gone"),
        (7, "auth"),
        (8, "rate_limited"),
        (13, "overloaded"),
        (14, "overloaded"),
        (16, "auth"),
        (0, "overloaded"),
        (99, "overloaded"),
    ],
)
def test_an_error_inside_a_200_is_known_by_the_number_of_its_grpc_status(code, kind):
    body = {"error": {"code": code, "message": "x"}}
    assert fault_of(200, {}, json.dumps(body), provider="openai").kind == kind
    # with a status of its own, that counts
    assert fault_of(503, {}, json.dumps(body), provider="openai").kind == "overloaded"


@pytest.mark.parametrize(
    "status", [500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 529, 530, 599]
)
@pytest.mark.parametrize("body", ["", "error code: 520", "<html>gone</html>", "[]", "null", "{}"])
def test_a_server_in_front_that_fails_is_overloaded_whatever_it_says(status, body):
    assert fault_of(status, {}, body, provider="xai").kind == "overloaded"
