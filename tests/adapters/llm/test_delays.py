"""How long a provider asks us to wait: every form that they document, and nothing that cannot be meant."""

import pytest
from shopping_agent.adapters.llm.delays import duration, header_delay, text_delay

NOW = 1_700_000_000.0


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("48s", 48),
        ("34.4s", 34.4),
        ("34.074824224s", 34.074824224),
        ("1m26.4s", 86.4),
        ("7.66s", 7.66),
        ("120ms", 0.12),
        ("PT13S", 13),
        ("PT1M2S", 62),
        ("PT1M2.5S", 62.5),
        ("PT1,5S", 1.5),
        ("pt1h", 3600),
        ("P0DT1H1S", 3601),
        ("2h", 7200),
        ("1h2m3s", 3723),
        ("6m0s", 360),
        ("2 minutes", 120),
        ("3 minutes and 2 seconds", 182),
        ("34", 34),
        (34, 34),
        (0.5, 0.5),
        ({"seconds": 34, "nanos": 500_000_000}, 34.5),
        ({"seconds": "34"}, 34),
        ({"nanos": 5e8}, 0.5),
    ],
)
def test_a_duration_is_read_in_every_spelling(written, seconds) -> None:
    assert duration(written) == pytest.approx(seconds)


@pytest.mark.parametrize(
    "written",
    [
        "",
        "soon",
        "PT",
        "P",
        "P1DT",
        "PT5",
        "-PT5S",
        "P1Y",
        "PT5X",
        "-3s",
        "-3",
        "nan",
        "inf",
        "1e400",
        None,
        True,
        [],
        "3 apples",
        "s",
        {"seconds": "x"},
    ],
)
def test_what_is_no_duration_is_none(written) -> None:
    assert duration(written) is None


def test_nothing_is_waited_for_longer_than_a_day() -> None:
    assert duration("500h") == duration(10**12) == duration("99999999d") == 86400
    assert header_delay({"retry-after": "99999999"}, NOW) == 86400
    assert header_delay({"retry-after": "Fri, 31 Dec 9999 23:59:59 GMT"}, NOW) == 86400


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "20"}, 20),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "0"}, 0),
        ({"Retry-After-Ms": "1500"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": "Tue, 14 Nov 2023 22:13:40 GMT"}, 20),
        ({"retry-after": "Tue, 14 Nov 2023 22:00:00 GMT"}, 0),
        ({"retry-after": "2023-11-14T22:13:50Z"}, 30),
        ({"retry-after": "7.66s"}, 7.66),
        ({"retry-after": "PT1M2S"}, 62),
        ({"retry-after": "20, 20"}, 20),
        ({"retry-after": "20; comment=slow"}, 20),
        ({"x-retry-after": "20"}, 20),
        ({"X-RateLimit-Retry-After": "20"}, 20),
        ({"x-rate-limit-reset": "20"}, 20),
        ({"RateLimit": "limit=100, remaining=0, reset=12"}, 12),
        ({"RateLimit": '"default";r=0;t=12'}, 12),
        ({"RateLimit": "limit=100, reset=12", "retry-after": "3"}, 3),
        ({"x-ratelimit-reset-requests": "1m26.4s", "x-ratelimit-reset-tokens": "7.66s"}, 7.66),
        ({"X-RateLimit-Reset": "1700000030000"}, 30),
        ({"X-RateLimit-Reset": "1700000030"}, 30),
        ({"ratelimit-reset": "30"}, 30),
        ({"retry-after": "20", "x-ratelimit-reset-tokens": "2s"}, 20),
        ({"retry-after": "soon", "x-ratelimit-reset-tokens": "2s"}, 2),
    ],
)
def test_headers_say_how_long(headers, seconds) -> None:
    assert header_delay(headers, NOW) == pytest.approx(seconds)


def test_of_several_limits_the_ones_that_are_used_up_count() -> None:
    headers = {
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "2m0s",
        "x-ratelimit-remaining-tokens": "5000",
        "x-ratelimit-reset-tokens": "120ms",
    }
    assert header_delay(headers, NOW) == 120


@pytest.mark.parametrize("value", ["-4", "NaN", "inf", "1e400", "soon", "", "0x10", "12 13"])
def test_a_header_that_makes_no_sense_is_not_there(value) -> None:
    assert header_delay({"retry-after": value, "x-ratelimit-reset-tokens": value}, NOW) is None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Please retry in 34.074824224s.", 34.074824224),
        ("Rate limit reached. Please try again in 1m2.5s. Need more tokens? Upgrade", 62.5),
        ("Please try again in 7m12.5s. Visit us", 432.5),
        ("Please try again in 120ms.", 0.12),
        ("Please retry after 34 seconds.", 34),
        ("Please retry in PT13S.", 13),
        ("Retry after PT1M2S", 62),
        ("retryDelay: 13s", 13),
        ('{"retry_after": 20}', 20),
        ("Retry-After: 20", 20),
        ("retry_after_seconds=2.5,", 2.5),
        ("Slow down. Next request allowed in 12s", 12),
        ("Retry in ~20s", 20),
        ("Réessayez dans 20 secondes.", 20),
        ("Veuillez réessayer après 2 minutes", 120),
        ("Bitte versuchen Sie es in 20 Sekunden erneut", 20),
        ("Inténtelo de nuevo en 20 segundos", 20),
        ("يرجى المحاولة بعد 20 ثانية", 20),
        ("请在 20 秒后重试", 20),
        ("Try again in 3 minutes and 2 seconds", 182),
        ("please wait 20 seconds before the next call", 20),
        ("The limit resets in 2h", 7200),
    ],
)
def test_sentences_say_how_long(text, seconds) -> None:
    assert text_delay(text) == pytest.approx(seconds)


@pytest.mark.parametrize(
    "text",
    ["Please retry later.", "Limit 8000, used 7900", "it took 34s", "", "try again in a moment"],
)
def test_a_sentence_that_names_no_wait_says_none(text) -> None:
    assert text_delay(text) is None
