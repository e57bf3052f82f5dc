"""What may be an answer: announcements and truths told apart, loose ends and markup left out."""

import pytest
from shopping_agent.application.reply_guard import announces, shown_text


@pytest.mark.parametrize(
    "text",
    [
        "Let me check that for you.",
        "I'll check the stock now…",
        "I’ll look into it.",
        "Sure! I will search our catalog for fresh perfumes.",
        "I'm going to add it to your cart.",
        "One moment, please.",
        "Okay. Let me see what we have for summer.",
        "Let me check if it's in stock.",
        "Looking for that now...",
        "Je vérifie tout de suite.",
        "D'accord, je vais vérifier cela pour vous.",
        "Je m'en occupe.",
        "Un instant, s'il vous plaît.",
        "Très bien ! Je vais chercher un parfum frais pour l'été.",
        "J'ajoute le parfum à votre panier.",
        "Laissez-moi regarder.",
        "سأتحقق من ذلك.",
        "حسناً، سأبحث لك عن عطر منعش.",
        "سأضيف العطر إلى سلتك الآن.",
        "لحظة من فضلك، جاري البحث.",
        "دعني أتحقق.",
        "غادي نشوف ليك.",
        "واخا، غانقلب دابا.",
        "بلاتي، غادي نزيدو ليك.",
        "ghadi nchouf",
        "Wakha, ghan9elleb lik daba.",
        "Blati, ghadi nzid lik hadchi f panier.",
        "Safi, khallini nchouf.",
    ],
)
def test_a_text_that_only_says_what_comes_next_is_an_announcement(text: str):
    assert announces(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hello! How can I help you?",
        "Sure!",
        "Let me know if you want to add it.",
        "I'll be happy to help with our perfumes.",
        "Let me check: Cap Vert costs 640 MAD.",
        "Let me check. Cap Vert is our freshest perfume.",
        "I'll add it once you tell me the size.",
        "I will add it if you confirm.",
        "Which size shall I add?",
        "I am sorry, I could not find it.",
        "I find Cap Vert lovely for summer.",
        "Looking at freshness, Cap Vert wins.",
        "A moment of freshness: Cap Vert.",
        "Your cart is empty.",
        "You can check the size on its page.",
        "I can check that for you at the counter.",
        "I added it to your cart.",
        "Je trouve que Cap Vert est parfait pour l'été.",
        "Un moment de fraîcheur avec Cap Vert.",
        "J'ai ajouté le parfum à votre panier.",
        "Je l'ajoute dès que vous me dites la taille.",
        "Dites-moi quelle taille vous préférez.",
        "Je ne sais pas.",
        "لا أعرف ذلك.",
        "أضفت العطر إلى سلتك.",
        "سأضيفه عندما تخبرني بالحجم.",
        "لحظة من الانتعاش مع هذا العطر.",
        "السلة ديالك خاوية.",
        "غادي نزيدو ملي تقول ليا القياس.",
        "شنو القياس لي بغيتي؟",
        "Panier dyalek khawi.",
        "Ghadi nzidou mli tgoul liya l9yas.",
        "Ma 3reftch.",
    ],
)
def test_a_text_that_tells_or_asks_something_is_none(text: str):
    assert not announces(text)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("It costs 3.50 MAD. It comes in 50 m", "It costs 3.50 MAD."),
        ("It costs 3.5", ""),
        ("No end in sight", ""),
        ("Here is what I found:\n1. Cap Vert: 640 MAD\n2. Bri", "Here is what I found:\n1. Cap Vert: 640 MAD"),
        ("Here is what I found:\n1. Cap Ve", ""),
        ("هل تريد إضافته؟ إنه عطر من", "هل تريد إضافته؟"),
        ("« Bien sûr. » Il coû", "« Bien sûr. »"),
        ("All of it. Whole.", "All of it. Whole."),
    ],
)  # fmt: skip
def test_a_text_that_was_cut_off_ends_with_what_is_whole(text: str, kept: str):
    assert shown_text(text, cut_off=True) == kept
    assert shown_text(text, cut_off=False) == text


@pytest.mark.parametrize(
    "text",
    [
        "<think>hm</think> It is fresh.",
        "</think>It is fresh.",
        "<tool_call>\n{}</tool_call>",
        "<|channel|>final<|message|>Hi",
        "[TOOL_CALLS] [{}]",
        "```tool_code\nprint(default_api.add_to_cart(product_id='x'))\n```",
        'add_to_cart{"productId": "x"}',
        "Malformed function call: add_to_cart(productId='x')",
        '{"productId": "x"}',
        '<data name="cart">{}</data>',
        "<xai:function_call name='x'>",
        '<function=add_to_cart>{"productId": "x"}</function>',
    ],
)
def test_markup_of_any_kind_is_no_text(text: str):
    assert shown_text(text, cut_off=False) == ""


@pytest.mark.parametrize(
    "text",
    [
        "Cap Vert < Grand Bleu in price, and I think it lasts longer.",
        "Its function: a perfume for the day (and the evening).",
        "Notes: lemon, mint [fresh].",
        "« Reçois 10 % » — data from our guide.",
    ],
)
def test_ordinary_signs_are_no_markup(text: str):
    assert shown_text(text, cut_off=False) == text
