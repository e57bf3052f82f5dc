"""`shopping-agent recommend`: products for a profile, with score and reasons, from the shop's rules; no model is asked.

TEXT is read as a message is (`shopping-agent understand`), with the words of the store pack; `--profile` takes a profile as JSON.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import Any, cast

from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.adapters.rules import load_expert
from shopping_agent.domain.understanding import understand
from shopping_agent.domain.understanding.profiles import ProfileWords, told_of_shopper
from shopping_agent.settings import Settings

from functions.local.ask import TIMEOUT_SECONDS, local_url, problem_of
from functions.local.cli import CommandError, typed

PATH = "/api/v1/recommendations"
# Of what a message asks for, what the route's constraints hold.
CONSTRAINTS = (
    "minPrice",
    "maxPrice",
    "currency",
    "gender",
    "notes",
    "families",
    "excludeNotes",
    "season",
    "occasion",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", nargs="*", help="who it is for and what is wanted, in any words")
    parser.add_argument("--profile", help='as JSON, such as {"climate": "hot", "occasion": "work"}')
    parser.add_argument("--constraints", help='as JSON, such as {"maxPrice": 700}')
    parser.add_argument("--limit", type=int, default=5, help="how many products (1 to 20)")
    parser.add_argument("--locale", help="language of the reasons (default: that of TEXT)")
    parser.add_argument("--pack", help="folder of the store pack (default: STORE_PACK)")
    parser.add_argument("--base-url", help="address of the shop (default: the local stack)")
    parser.add_argument("--json", action="store_true", help="print the reply as JSON")


def run(options: argparse.Namespace) -> int:
    body = _body(options)
    reply = _post((options.base_url or local_url()).rstrip("/"), body)
    if options.json:
        print(json.dumps(reply, ensure_ascii=False, indent=2))
        return 0
    if options.text and not (body["profile"] or body["constraints"]):
        print("nothing of this was understood; the products are in no order of fit\n")
    show(reply)
    return 0


def show(reply: dict[str, Any]) -> None:
    """Recommendations for people: what was judged by, products with what speaks for and against them, what is left out."""
    if reply["profileLabels"]:
        print(f"for: {', '.join(reply['profileLabels'])}\n")
    for place, product in enumerate(reply["products"], start=1):
        price = f"{product['price']} {product['currency']}"
        print(f"{place}. {product['score']:5.1f}  {product['name']}  {price}")
        print("".join(f"{line}\n" for line in _account(product["reasons"])), end="")
    if not reply["products"]:
        print(f"nothing; in the way: {', '.join(reply['blocked']) or 'the rules'}")
    for one in reply["excluded"]:
        rules = "; ".join(f"{r['rule']} ({', '.join(r['terms'])})" for r in one["rules"])
        print(f"left out: {one['name']}: {rules}")
    for one in (*reply["relaxed"], *reply["overruled"]):
        print(f"gave way: {one['rule']} ({one['what']}), to {', '.join(one['to'])}")
    for question in reply["questions"]:
        print(f"ask: {question['text']}")


def _account(reasons: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Every line that gives points, and what speaks against; their points sum to the score."""
    unmarred = [r for r in reasons if r["effect"] == "avoid" and r["speaks"] == "neutral"]
    told = {""}
    for reason in reasons:
        if reason in unmarred or (reason["speaks"] == "neutral" and not reason["points"]):
            continue
        about = ": ".join(filter(None, [reason["name"], ", ".join(reason["terms"])]))
        against = "  (speaks against it)" if reason["speaks"] == "against" else ""
        yield f"   {_points([reason])}  {about}{against}"
        if reason["text"] not in told:
            told.add(reason["text"])
            yield f"     {reason['text']}"
    if unmarred:
        rules = ", ".join(dict.fromkeys(r["name"] for r in unmarred))
        yield f"   {_points(unmarred)}  nothing to avoid in it: {rules}"


def _points(reasons: Sequence[dict[str, Any]]) -> str:
    given, possible = (sum(r[name] for r in reasons) for name in ("points", "possible"))
    return f"+ {given:4.1f}/{possible:.1f}"


def _body(options: argparse.Namespace) -> dict[str, Any]:
    if not options.text and options.profile is None:
        raise CommandError("say who it is for: TEXT, or --profile JSON")
    body: dict[str, Any] = {"profile": {}, "constraints": {}, "locale": options.locale}
    if options.text:
        body |= _read(typed(" ".join(options.text)), options.pack)
    for name in ("profile", "constraints"):
        if (given := getattr(options, name)) is not None:
            body[name] = {**body[name], **_object(name, given)}
    body["locale"] = options.locale or body["locale"]
    return {**body, "limit": options.limit}


def _read(text: str, location: str | None) -> dict[str, Any]:
    """The profile and the constraints that a message states."""
    location = location or Settings.from_environment().store_pack
    pack = load_store_pack(location)
    words = ProfileWords.of(load_expert(location, pack.vocabulary).schema)
    query = understand(text, vocabulary=pack.vocabulary, currency=pack.currency).query
    told = told_of_shopper(query, pack.vocabulary, words)
    stated = query.view(pack.currency)
    return {
        "profile": told.profile.view(),
        "constraints": {key: stated[key] for key in CONSTRAINTS if key in stated},
        "locale": query.language,
        "query": text,
    }


def _object(name: str, text: str) -> dict[str, Any]:
    try:
        value: Any = json.loads(typed(text))
    except (ValueError, RecursionError) as error:
        raise CommandError(f"--{name} is no JSON: {error}") from error
    if not isinstance(value, dict):
        raise CommandError(f"--{name} must be a JSON object")
    return cast("dict[str, Any]", value)


def _post(url: str, body: dict[str, Any]) -> dict[str, Any]:
    import httpx

    try:
        with httpx.Client(base_url=url, timeout=TIMEOUT_SECONDS) as client:
            response = client.post(PATH, json=body)
    except httpx.ConnectError as error:
        raise CommandError(f"nobody answers at {url}; start the local stack: make run") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise CommandError(f"no answer from {url}: {error or type(error).__name__}") from error
    if response.is_success:
        return response.json()
    raise CommandError(problem_of(response))
