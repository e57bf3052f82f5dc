"""Examples of the OpenAPI document; tests hold them to its schemas."""

from typing import Any

PRODUCT: dict[str, Any] = {
    "id": "sahra-50",
    "name": "Sahra 50 ml",
    "brand": "Maison Tiznit",
    "description": "Bergamot and neroli over white cedar.",
    "price": 690,
    "compareAtPrice": 790,
    "currency": "MAD",
    "stock": 4,
    "inStock": True,
    "url": "https://shop.example/sahra",
    "imageUrl": "https://shop.example/sahra.jpg",
    "gender": "unisex",
    "families": ["citrus", "fresh"],
    "notes": {"top": ["bergamot"], "heart": ["neroli"], "base": ["cedar"]},
    "accords": ["citrus"],
    "longevity": "moderate",
    "seasons": ["summer"],
    "occasions": ["everyday"],
    "sizeMl": 50,
    "variantOf": "sahra",
}
CART: dict[str, Any] = {
    "items": [
        {
            "productId": "sahra-50",
            "name": "Sahra 50 ml",
            "brand": "Maison Tiznit",
            "imageUrl": "https://shop.example/sahra.jpg",
            "quantity": 1,
            "unitPrice": 690,
            "lineTotal": 690,
            "available": True,
        }
    ],
    "count": 1,
    "total": 690,
    "currency": "MAD",
    "version": 1,
}
HANDOFF: dict[str, Any] = {
    "reference": "Zk3l2m1bQhYv0qg5m8n2Jw",
    "lines": [
        {
            "id": "sahra-50",
            "productId": "sahra-50",
            "name": "Sahra 50 ml",
            "quantity": 1,
            "unitPrice": 690,
            "lineTotal": 690,
        }
    ],
    "currency": "MAD",
    "total": 690,
    "cartVersion": 1,
    "issuedAt": "2026-11-30T20:00:00Z",
    "expiresAt": "2026-11-30T20:30:00Z",
}
EXPORT: dict[str, Any] = {
    "sessionId": "g_2o1pWJ0uS1mJm6kq0mCq3w",
    "exportedAt": "2026-11-30T20:00:00Z",
    "records": [
        {
            "kind": "cart",
            "holds": "the cart, and its lines before the last change",
            "key": "sa:cart:g_2o1pWJ0uS1mJm6kq0mCq3w",
            "secondsLeft": 2592000,
            "data": {
                "version": "1",
                "lines": [["sahra-50", 1, "69000", "Sahra 50 ml", "Maison Tiznit", ""]],
                "undo": [],
            },
        }
    ],
}
RECOMMENDATIONS: dict[str, Any] = {
    "products": [
        {
            **PRODUCT,
            "score": 71.4,
            "reasons": [
                {
                    "effect": "prefer",
                    "name": "hot climate",
                    "speaks": "for",
                    "points": 71.4,
                    "possible": 100.0,
                    "terms": ["citrus"],
                    "text": "In the heat, light and fresh scents wear best; heavy or very sweet ones become stifling.",
                }
            ],
        }
    ],
    "excluded": [
        {
            "productId": "oud-royal-50",
            "name": "Oud Royal 50 ml",
            "rules": [
                {
                    "rule": "migraine",
                    "terms": ["oud"],
                    "text": "Heavy scents can bring a headache on.",
                }
            ],
        }
    ],
    "relaxed": [],
    "overruled": [],
    "blocked": [],
    "profile": {"sensitivities": ["migraine"], "climate": ["hot"]},
    "profileLabels": ["gets migraines", "hot climate"],
    "questions": [
        {
            "key": "occasion",
            "text": "Where will it be worn?",
            "answers": [{"value": "work", "label": "office"}],
        }
    ],
}
STORE: dict[str, Any] = {
    "name": "Maison Tiznit",
    "currency": "MAD",
    "language": "en",
    "suggestions": ["Something fresh for summer under 800 MAD"],
    "notice": "You are talking to an automated assistant.",
    "contacts": {
        "whatsapp": "https://wa.me/212500000000",
        "phone": "+212 5 00 00 00 00",
        "email": "bonjour@shop.example",
        "hours": "Monday to Saturday, 9:30 to 19:30",
    },
    "values": {"family.citrus": "citrus", "season.summer": "summer"},
}
CHAT: dict[str, Any] = {
    "answer": "I added Sahra 50 ml to your cart: 690 MAD. Total 690 MAD, before delivery.",
    "intent": "cart",
    "route": "agent",
    "cart": CART,
    "products": [PRODUCT],
    "choices": [],
    "suggestions": ["How long does delivery take?"],
    "actions": [{"type": "add", "productId": "sahra-50", "quantity": 1, "undo": True}],
    "sessionId": "g_2o1pWJ0uS1mJm6kq0mCq3w",
    "turnId": "5c2f7d0e",
    "finish": "answered",
    "usage": {
        "calls": 2,
        "inputTokens": 4210,
        "outputTokens": 118,
        "cachedTokens": 1920,
        "costUsd": 0.000559,
        "models": [
            {
                "provider": "groq",
                "model": "openai/gpt-oss-120b",
                "calls": 2,
                "inputTokens": 4210,
                "outputTokens": 118,
                "cachedTokens": 1920,
                "costUsd": 0.000559,
            }
        ],
    },
    "model": "openai/gpt-oss-120b",
}

_FIGURES: dict[str, Any] = {
    "turns": 412,
    "unanswered": 9,
    "fruitlessSearches": 21,
    "tokens": 1204000,
    "cost": 0.31,
    "durations": {"p50": 900, "p95": 2600, "p99": 4100},
    "revenue": [{"currency": "MAD", "amount": 5240, "orders": 7}],
}
STATISTICS: dict[str, Any] = {
    "from": "2026-12-01",
    "until": "2026-12-01",
    "days": [{"date": "2026-12-01", **_FIGURES}],
    "totals": {
        **_FIGURES,
        "intents": {"cart": 160, "knowledge": 101, "recommendation": 140, "general": 11},
        "routes": {"agent": 330, "rag": 71, "greeting": 11},
        "languages": {"fr": 190, "ary-latn": 120, "ar": 60, "en": 42},
        "finishes": {"answered": 380, "clarify": 32},
        "actions": {"add": 96, "remove": 12},
        "refusals": {"which_variant": 18, "over_budget_confirm": 3},
        "verdicts": {"sound": 295, "repaired": 8, "cut": 4, "replaced": 2},
        "failures": {"rate_limited": 5},
        "hours": {"09": 120, "20": 292},
        "models": [
            {"model": "groq/openai/gpt-oss-120b", "calls": 520, "tokens": 1204000, "cost": 0.31}
        ],
    },
    "searches": [{"text": "parfum sans alcool", "count": 4}],
    "questions": [{"text": "do you ship to Spain?", "count": 3}],
    "files": [
        {
            "source": "catalog/catalog.jsonl",
            "status": "applied",
            "error": None,
            "startedAt": "2026-12-01T08:00:02.120+00:00",
            "durationMs": 5310,
            "counts": {"read": 60, "accepted": 60, "rejected": 0, "added": 60},
            "key": "reports/catalog/catalog.jsonl/20261201T080007.430000Z.json",
        }
    ],
}
