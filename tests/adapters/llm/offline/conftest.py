"""A small shop for the planner: products as observations show them, the real phrases, and the real tool schemas."""

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from types import MappingProxyType
from typing import Any

import jsonschema
import pytest
from shopping_agent.adapters.llm.offline import OfflineModel
from shopping_agent.application.tools import arguments
from shopping_agent.domain.conversation import (
    AssistantMessage,
    DataBlock,
    Message,
    ModelReply,
    ModelRequest,
    ToolCall,
    ToolResult,
    ToolSpec,
    UserMessage,
)
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.query import Change, Order, ProductReference, ShopperQuery
from shopping_agent.domain.store import Contacts, Phrases, StorePack
from shopping_agent.domain.vocabulary import Vocabulary

WORDS: Mapping[str, Any] = {
    "note": {
        "rose": {"*": "rose, ورد", "ary-latn": "ward"},
        "neroli": {"*": "neroli"},
        "oud": {"*": "oud, عود"},
    },
    "family": {"fresh": {"*": "fresh, frais, منعش"}, "woody": {"*": "woody, boisé, خشبي"}},
    "season": {"summer": {"*": "summer, été, صيف, sif"}},
    "occasion": {"gift": {"*": "gift, cadeau, هدية"}},
    "search": {"other": {"en": "others, something else"}},
    "bound": {"cheaper": {"en": "cheaper"}},
    "action": {
        "add": {"en": "add"},
        "remove": {"en": "remove, take out"},
        "swap": {"en": "replace"},
    },
    "service": {"complaint": {"*": "arrived broken"}},
    "courtesy": {"thanks": {"*": "thank you, merci, شكرا"}},
    "topic": {
        "delivery": {"*": "delivery, deliver, livraison, livrer, توصيل, كتوصلو, التوصيل"},
        "vegan": {"*": "vegan, نباتي"},
        "price": {"*": "price, cost, prix, combien, بشحال, شحال"},
        "longevity": {"*": "last, lasts, tient, يدوم"},
    },
}
TOOLS: Mapping[str, type[arguments.Arguments]] = MappingProxyType(
    {
        "search_products": arguments.SearchProducts,
        "get_product": arguments.GetProduct,
        "compare_products": arguments.CompareProducts,
        "get_cart": arguments.NoArguments,
        "add_to_cart": arguments.AddToCart,
        "update_cart_item": arguments.UpdateCartItem,
        "remove_from_cart": arguments.RemoveFromCart,
        "clear_cart": arguments.NoArguments,
        "search_guides": arguments.SearchGuides,
        "contact_store": arguments.ContactStore,
    }
)
WRITES = frozenset(
    {"add_to_cart", "update_cart_item", "remove_from_cart", "clear_cart", "checkout"}
)


def _catalog() -> dict[str, dict[str, Any]]:
    def brief(product_id: str, name: str, price: float, **facts: Any) -> dict[str, Any]:
        return {
            "id": product_id,
            "name": name,
            "brand": "Maison Test",
            "price": price,
            "currency": "MAD",
            "stock": 9,
            "inStock": True,
            "families": ["fresh", "citrus"],
            "notes": ["Bergamot", "White tea"],
            "longevity": "moderate",
            "sillage": "moderate",
            "seasons": ["summer"],
            **facts,
        }

    listed = [
        brief("dune-30", "Dune Bleue - 30 ml", 260, sizeMl=30, variantOf="dune"),
        brief("dune-50", "Dune Bleue - 50 ml", 390, sizeMl=50, variantOf="dune"),
        brief("vent", "Vent du Large", 420, sizeMl=100, compareAtPrice=520),
        brief("zellige", "Zellige Vert", 310.5, families=["green"], longevity="long"),
        brief(
            "nuit",
            "Nuit de Cèdre",
            690,
            families=["woody"],
            seasons=["winter"],
            longevity="very long",
            sillage="heavy",
        ),
        brief("rare", "Ambre Rare", 990, families=["amber"], stock=0, inStock=False),
    ]
    return {product["id"]: product for product in listed}


_CHANGES: Mapping[str, Change] = {
    "add": "add",
    "update": "set",
    "remove": "remove",
    "clear": "clear",
}


def _orders(names: Sequence[str], known: Mapping[str, Any]) -> tuple[Order, ...]:
    """One order for each name, two names of an update being an exchange; or one for what is pointed at."""
    change = _CHANGES.get(known.get("action", "none"))
    if change is None:
        return ()
    if change == "set" and len(names) == 2:
        change = "swap"
    given = {
        field: known[field]
        for field in ("ordinal", "quantity", "size_ml", "pronoun", "cheapest")
        if field in known
    }
    return tuple(Order(change, name, **given) for name in names) or (Order(change, **given),)


class Shop:
    """One shopper's turn, played to the planner call by call."""

    def __init__(self, pack: StorePack) -> None:
        self.pack = pack
        self.catalog = _catalog()
        self._model = OfflineModel(pack=pack)

    def query(self, text: str, language: Any = "en", **known: Any) -> ShopperQuery:
        """A message as understanding would give it; `names` are looked up in the text."""
        names: Sequence[str] = known.pop("names", ())
        references = tuple(
            ProductReference(n, text.index(n), text.index(n) + len(n)) for n in names
        )
        if names:
            known.setdefault("product_name", names[0])
        known.setdefault("orders", _orders(names, known))
        return ShopperQuery(text=text, language=language, references=references, **known)

    def say(
        self,
        query: ShopperQuery,
        *results: tuple[str, Mapping[str, Any], Mapping[str, Any]],
        tools: Sequence[str] | None = None,
        reminder: str = "",
        **blocks: Any,
    ) -> ModelReply:
        """The planner's reply to a message with data blocks and this turn's (tool, arguments, result)s."""
        offered = [
            ToolSpec(name, name, arguments.json_schema(TOOLS[name]))
            for name in (TOOLS if tools is None else tools)
        ]
        messages: list[Message] = [
            UserMessage("hello"),
            AssistantMessage("hello"),
            UserMessage(query.text, tuple(DataBlock(k, v) for k, v in blocks.items())),
        ]
        for number, (name, given, result) in enumerate(results):
            call = ToolCall(f"c{number}", name, given)
            messages += [AssistantMessage("", (call,)), ToolResult(call.id, name, result)]
        if reminder:
            messages.append(UserMessage(reminder))
        request = ModelRequest(system="", messages=messages, tools=offered, query=query)
        reply = self._model.complete(request, Deadline.after(5))
        self._keeps_its_contract(reply, offered)
        return reply

    def _keeps_its_contract(self, reply: ModelReply, offered: Sequence[ToolSpec]) -> None:
        schemas = {spec.name: spec.parameters for spec in offered}
        for call in reply.tool_calls:
            assert call.name in schemas, f"{call.name} is not offered"
            jsonschema.validate(call.arguments, dict(schemas[call.name]))
            assert set(call.arguments) <= set(schemas[call.name]["properties"])
        assert reply.tool_calls or reply.text.strip()
        assert not (reply.tool_calls and reply.text)

    def words(self, key: str, language: Any = "en", **values: object) -> str:
        return self.pack.phrases.say(language, key, **values)

    def found(self, *ids: str, best: str | None = None, **more: Any) -> dict[str, Any]:
        """A search result, best first."""
        first = {"best": best or ids[0]} if ids and best != "" else {}
        return {"products": [self.catalog[i] for i in ids], **first, **more}

    def shown(self, *ids: str) -> list[dict[str, Any]]:
        return [
            {"position": n, **{k: self.catalog[i][k] for k in ("id", "name", "price")}}
            for n, i in enumerate(ids, start=1)
        ]

    def card(self, product_id: str) -> dict[str, Any]:
        return {k: self.catalog[product_id][k] for k in ("id", "name", "price")}

    def cart(self, **quantities: int) -> dict[str, Any]:
        """`Cart.view()` of product ids (with _ for -) and quantities."""
        items: list[dict[str, Any]] = [
            {
                "productId": i,
                "name": self.catalog[i]["name"],
                "brand": "",
                "imageUrl": "",
                "quantity": n,
                "unitPrice": self.catalog[i]["price"],
                "lineTotal": self.catalog[i]["price"] * n,
                "available": True,
            }
            for i, n in ((k.replace("_", "-"), n) for k, n in quantities.items())
        ]
        total = sum(x["lineTotal"] for x in items)
        count = sum(quantities.values())
        return {"items": items, "count": count, "total": total, "currency": "MAD", "version": 1}

    def wrote(self, name: str, quantity: int, cart: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "ok": True,
            "name": name,
            "quantity": quantity,
            "cart": cart,
            "cartTotal": cart["total"],
        }

    def refused(self, code: str, **more: Any) -> dict[str, Any]:
        return {"ok": False, "error": {"code": code, "message": "No.", **more}}


@pytest.fixture(scope="session")
def phrases() -> Mapping[str, Mapping[str, str]]:
    return json.loads(
        files("shopping_agent").joinpath("store_pack/phrases.json").read_text("utf-8")
    )


@pytest.fixture
def shop(phrases: Mapping[str, Mapping[str, str]]) -> Shop:
    pack = StorePack(
        name="Test shop",
        currency="MAD",
        contacts=Contacts(
            "https://wa.example/1", "+212 5 11", "hello@shop.example", {"en": "9-19", "ar": "9-19"}
        ),
        vocabulary=Vocabulary.from_document(WORDS),
        phrases=Phrases(phrases),
        prompts={},
        suggestions={},
        ai_notice={},
    )
    return Shop(pack)
