from shopping_agent.adapters.llm.scripted import proposes, says

FLAGSHIP = "Something fresh for summer, under 800 MAD, and add the best one to my cart."
ADD_BEST = proposes(("add_to_cart", {"productId": "cap-vert"}))
LIE = "I added Cap Vert to your cart: 540 MAD."
TRUTH = "I added Cap Vert to your cart: 640 MAD."


def test_a_reply_that_does_not_hold_is_mended_by_its_model(shop):
    assert shop.say(FLAGSHIP, [ADD_BEST, says(LIE), says(TRUTH)]).answer == TRUTH


def test_the_model_is_told_what_is_true_and_asked_once(shop):
    asked = []

    def model(request):
        asked.append(request)
        return ADD_BEST if len(asked) == 1 else says(LIE)

    answer = shop.say(FLAGSHIP, model).answer
    assert "540 MAD" not in answer
    assert len(asked) == 3
    assert "Cap Vert costs 640 MAD" in asked[-1].messages[-1].text
    assert asked[-1].tool_choice == "none"


def test_of_a_reply_that_is_not_mended_only_the_untrue_sentence_goes(shop):
    true = "Cap Vert is in your cart now, at 640 MAD, and the whole order comes to 640 MAD."
    reply = f"{true} It was tested by doctors."
    assert shop.say(FLAGSHIP, [ADD_BEST, says(reply), says(reply)]).answer == true


def test_a_mended_reply_that_holds_no_better_is_replaced(shop):
    other = "I added Brise d'Asilah to your cart."
    answer = shop.say(FLAGSHIP, [ADD_BEST, says(LIE), says(other)]).answer
    assert answer.startswith("Added to your cart: 1 × Cap Vert, 640 MAD each.")
