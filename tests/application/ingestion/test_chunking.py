"""What is indexed of a product and of a guide."""

from dataclasses import replace

import pytest
from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.application.chunking import (
    MAX_CHUNK,
    guide_chunks,
    passage,
    product_chunks,
    text_language,
)
from shopping_agent.domain.catalog import Notes, PriceTag, Product

VOCABULARY = load_store_pack().vocabulary


def product(**fields):
    return replace(Product(id="x", name="X", price=PriceTag(100, "MAD")), **fields)


def chunks(**fields):
    return product_chunks(product(**fields), "catalog/a.csv", VOCABULARY)


def test_a_description_in_two_languages_becomes_a_chunk_of_each():
    found = chunks(description="A calm cedar for the evening.\nUn cèdre calme pour le soir.")
    assert [(c.kind, c.language) for c in found] == [("description", "en"), ("description", "fr")]


def test_notes_and_usage_are_chunks_of_their_own_when_there_are_any():
    found = chunks(notes=Notes(("lime",), (), ("cedar",)), longevity="long", gender="men")
    assert [(c.kind, c.text) for c in found] == [
        ("description", "X"),
        ("notes", "Top notes: lime. Base notes: cedar."),
        ("usage", "For: men. Longevity: long."),
    ]


def test_terms_are_canonical_english_whatever_the_catalog_speaks():
    found = chunks(notes=Notes(("citron", "ورد"), ("Moon dust",), ()), seasons=("été",))
    assert {"lemon", "rose", "moon dust", "summer"} <= set(found[0].terms)


def test_a_long_text_is_cut_at_sentences_and_nothing_is_lost():
    text = " ".join(f"Sentence number {n} says something." for n in range(200))
    found = chunks(description=text)
    assert all(len(c.text) <= MAX_CHUNK for c in found)
    assert " ".join(c.text for c in found) == text
    assert all(c.text.endswith(".") for c in found)


def test_a_text_without_any_sentence_is_cut_too():
    assert all(len(c.text) <= MAX_CHUNK for c in chunks(description="x" * 5000))


def test_chunk_ids_are_the_same_for_the_same_product_and_distinct():
    ids = [c.id for c in chunks(description="A.\nUn parfum pour le soir et la nuit.")]
    assert ids == [c.id for c in chunks(description="B.\nUn parfum pour le jour et la nuit.")]
    assert len(set(ids)) == 2


def test_a_passage_says_what_the_text_is_about():
    (chunk,) = chunks(brand="Maison", description="Soft.")
    assert passage(chunk) == "X (Maison)\nSoft."
    assert chunk.text == "Soft."


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("ملح البحر والليمون 50 ml", "ar"),
        ("Un parfum frais pour l'été", "fr"),
        ("A fresh scent for the summer", "en"),
        ("Oud Royal", "en"),
        ("", "en"),
    ],
)
def test_the_language_of_a_text(text, language):
    assert text_language(text) == language


def test_a_guide_is_cut_by_heading_and_its_name_tells_topic_and_language():
    text = "# Livraison\nPartout au Maroc.\n\n## Prix\n20 **MAD**, voir [ici](https://a.example).\n\n### Gros colis\n60 MAD."
    found = guide_chunks("guides/delivery.fr.md", text)
    assert [(c.guide, c.language, c.heading, c.text) for c in found] == [
        ("delivery", "fr", "Livraison", "Partout au Maroc."),
        (
            "delivery",
            "fr",
            "Prix",
            "20 MAD, voir ici (https://a.example).\n\nGros colis\n60 MAD.",
        ),
    ]


def test_a_guide_without_a_language_in_its_name_is_told_by_its_text():
    (chunk,) = guide_chunks("guides/faq.v2.md", "Nous livrons dans les villes du Maroc.")
    assert (chunk.guide, chunk.language, chunk.heading) == ("faq.v2", "fr", "")
