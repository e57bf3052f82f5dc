"""Guides as merchants write them become sections that can be quoted and cited."""

import time

import pytest
from shopping_agent.application.chunking import MAX_CHUNK, guide_chunks
from shopping_agent.application.guide_text import plain, sections


def cited(text: str) -> list[tuple[str, str]]:
    return [(c.heading, c.text) for c in guide_chunks("guides/x.en.md", text)]


def test_front_matter_is_not_text_and_its_title_is_the_heading_of_what_comes_first():
    text = "---\ntitle: 'Delivery'\nlayout: page\n---\nEverywhere.\n## Delays\nTwo days."
    assert cited(text) == [("Delivery", "Everywhere."), ("Delays", "Two days.")]


def test_a_rule_at_the_beginning_is_no_front_matter():
    text = "---\nEverywhere.\n\n***\n\nTwo days."
    assert cited(text) == [("", "Everywhere.\n\nTwo days.")]


def test_a_row_of_a_table_names_its_columns():
    text = (
        "## Zones\nOur prices:\n\n| Town | Price | Days |\n|:---|---:|:-:|\n"
        "| Rabat | 25 MAD | 1 |\n| Fes \\| Meknes | 30 **MAD** | |\n\nBefore 14:00."
    )
    ((heading, body),) = cited(text)
    assert heading == "Zones"
    assert "Town: Rabat; Price: 25 MAD; Days: 1." in body
    assert "Price: 30 MAD." in body
    assert "|--" not in body
    assert body.endswith("Before 14:00.")


def test_a_long_table_is_cut_between_rows_that_still_say_what_they_are_about():
    rows = "\n".join(f"| Town {n} | {n} MAD |" for n in range(200))
    found = cited(f"## Zones\n| Town | Price |\n|---|---|\n{rows}\n")
    assert len(found) > 2
    assert all(body.startswith("Town: Town ") for _, body in found)
    assert sum(body.count("Price: ") for _, body in found) == 200


def test_what_is_fenced_is_text_whatever_it_looks_like():
    text = "## Codes\nUse it so:\n```sh\n# not a heading\n| a | b |\n```\nDone.\n## Next\nMore."
    assert cited(text) == [
        ("Codes", "Use it so:\n# not a heading\n| a | b |\nDone."),
        ("Next", "More."),
    ]


def test_a_fence_that_is_never_closed_loses_nothing():
    assert cited("## A\n~~~\nx\n## B\ny") == [("A", "x\n## B\ny")]


def test_lists_stay_lists():
    text = "## Care\n- Keep it *cool*.\n- Away from **light**.\n1. Shake.\n   - Gently."
    assert cited(text) == [
        ("Care", "- Keep it *cool*.\n- Away from light.\n1. Shake.\n   - Gently.")
    ]


def test_headings_below_a_short_section_are_part_of_it():
    assert cited("## Prices\n20 MAD.\n### Large parcels\n60 MAD.") == [
        ("Prices", "20 MAD.\n\nLarge parcels\n60 MAD.")
    ]


def test_headings_below_a_long_section_are_cited_with_it():
    sentence = "A parcel is a parcel, as everybody knows well. "
    text = f"## Prices\n{sentence * 15}\n### Large parcels\n{sentence * 15}\n#### Huge\nAsk us."
    found = cited(text)
    assert [heading for heading, _ in found] == [
        "Prices",
        "Prices – Large parcels",
        "Prices – Huge",
    ]
    assert all(len(body) <= MAX_CHUNK for _, body in found)


def test_a_very_long_section_is_cut_at_sentence_ends():
    text = "## Story\n" + "We have sold perfume for years. " * 200
    found = cited(text)
    assert len(found) > 4
    assert {heading for heading, _ in found} == {"Story"}
    assert all(body.endswith("years.") for _, body in found)


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("# Guide\n# One\na\n# Two\nb", ["One", "Two"]),
        ("# Guide\n### One\na\n### Two\nb", ["One", "Two"]),
        ("### One\na\n### Two\nb", ["One", "Two"]),
        ("Guide\n=====\n\nOne\n---\na\n\nTwo\n---\nb", ["One", "Two"]),
        ("# Guide #\n## One ##\na\n##\tTwo\nb", ["One", "Two"]),
        ("#hashtag\n## One\na\n## Two\nb", ["", "One", "Two"]),
    ],
)
def test_sections_are_found_whichever_headings_their_writer_took(text, headings):
    assert [heading for heading, _ in cited(text)] == headings


def test_comments_links_quotations_and_escapes_become_what_a_reader_sees():
    text = (
        '## Contact <!-- since\n2024 -->\n> Write to [us](https://a.example "now").\n'
        "\\*by appointment\\*"
    )
    assert cited(text) == [("Contact", "Write to us (https://a.example).\n*by appointment*")]


def test_empty_guides_and_headings_without_text_have_no_chunks():
    assert cited("") == cited("# Only a title\n## And another\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "<!--" * 50_000,
        "|" * 100_000,
        "| a " * 30_000 + "\n" + "|-" * 30_000,
        "[" * 100_000,
        "**a" * 30_000,
        "**a`b__c" * 12_000,
        "[](" * 40_000,
        "# " * 50_000,
        "- " * 50_000,
        "> " * 50_000,
        "```\n" * 30_000,
        "a\n---\n" * 20_000,
        "---\n" * 30_000,
    ],
)
def test_hostile_markdown_costs_about_its_length(text):
    started = time.process_time()
    list(sections(text))
    assert time.process_time() - started < 2.0


def test_a_picture_is_its_description():
    assert plain("![our shop](shop.png)") == "our shop"


def test_an_address_that_is_its_own_name_is_said_once():
    assert plain("[https://a.example](https://a.example)") == "https://a.example"
