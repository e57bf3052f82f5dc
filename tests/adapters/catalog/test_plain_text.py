"""Cells with HTML and debris as plain text."""

import time

import pytest
from shopping_agent.adapters.catalog.plain_text import one_line, plain_text


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        ("Slow cedar, <b>dry</b> amber &amp; hay.", "Slow cedar, dry amber & hay."),
        ("<p>One</p><p>Two<br/>three</p>", "One\n\nTwo\nthree"),
        ("un<i>broken</i>word", "unbrokenword"),
        ("&lt;noir&gt; &amp;amp; caf&eacute;", "<noir> &amp; café"),
        ("a<!-- hidden <b> -->b", "ab"),
        ("a<script>if (1 < 2) {}</script>b<STYLE media='x'>p{}</style>c", "abc"),
        ("a<script>never closed", "a"),
        ("1 < 2 <3 x<y", "1 < 2 <3 x<y"),
        ('<a title="a>b" href="#">link</a>', "link"),
        ("bell\x07 nul\x00 esc\x1b[31m", "bell nul esc[31m"),
        ("zero\u200bwidth\ufeff and\u00a0nbsp\u202fthin", "zerowidth and nbsp thin"),
        ("a\r\nb\rc\td", "a\nb\nc d"),
        ("  a   b \n\n\n\n c ", "a b\n\nc"),
        ("مسك <b>أبيض</b>", "مسك أبيض"),
    ],
)
def test_html_entities_and_debris_become_plain_text(raw, plain):
    assert plain_text(raw) == plain


def test_a_description_is_cut_at_its_limit():
    assert len(plain_text("word " * 10_000)) <= 20_000


def test_a_name_is_one_line():
    assert one_line(" L&#39;Heure\n <b>Bleue</b> ") == "L'Heure Bleue"


@pytest.mark.parametrize("piece", ["<a ", "<a<", '<a "', "<a '<b \"", "<!--", "&#", "<p><script>"])
def test_hostile_markup_costs_no_more_than_its_length(piece):
    began = time.perf_counter()
    plain_text(piece * 100_000)
    assert time.perf_counter() - began < 5
