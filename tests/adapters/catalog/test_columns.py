"""Which header names which column, and how a store pack adds to it."""

import io
import json

import pytest
from shopping_agent.adapters.catalog.columns import default_columns
from shopping_agent.adapters.catalog.readers import CatalogFileReader
from shopping_agent.adapters.catalog.store_pack import load_columns
from shopping_agent.domain.feed import ProductRow
from shopping_agent.errors import ConfigurationError


@pytest.mark.parametrize(
    ("header", "column"),
    [
        ("PRODUCT_ID", "id"),
        ("Réf.", "id"),
        ("المُعرّف", "id"),
        ("Désignation", "name"),
        ("Prix TTC (DH)", "price"),
        ("g:sale_price", "salePrice"),
        ("Prix soldé", "salePrice"),
        ("Notes de cœur", "notesHeart"),
        ("سعر التخفيض", "salePrice"),
        ("Size (ml)", "sizeMl"),
        ("Item No.", "id"),
        ("PU TTC", "price"),
        ("Qté en stock", "stock"),
        ("Code de l'article", "id"),
        ("N° de l’article", "id"),
        ("Désignation de l'article (FR)", "name"),
        ("Fin de la promo", "saleUntil"),
        ("Lien de l’image", "imageUrl"),
        ("Occasion (product.metafields.shopify.occasion)", "occasions"),
    ],
)
def test_headers_are_matched_without_case_accents_spaces_and_punctuation(header, column):
    assert default_columns().of([header]) == {column: (0,)}


def test_a_struck_price_and_a_price_without_tax_are_no_price():
    struck = [
        "Prix barré",
        "Prix HT",
        "PU HT",
        "Compare at price",
        "Prix d'achat",
        "No",
        "N°",
        "De la",
    ]
    assert not default_columns().of(struck)


def test_a_pack_adds_headers_and_the_default_ones_stay(tmp_path):
    document = {"table": {"name": ["Intitulé court"], "stock": ["dépôt"]}}
    (tmp_path / "columns.json").write_text(json.dumps(document), encoding="utf-8")
    reader = CatalogFileReader(currency="MAD", columns=load_columns(str(tmp_path)))
    [row] = reader.read(io.BytesIO("Réf;INTITULE COURT;Prix;Dépôt\na;Nuit;12,5;3\n".encode()))
    assert isinstance(row, ProductRow)
    assert (row.product.name, row.product.price.regular, row.product.stock) == ("Nuit", 1250, 3)


def test_a_pack_without_columns_has_the_default_ones(tmp_path):
    assert load_columns(str(tmp_path)).of(["Prix"]) == {"price": (0,)}


@pytest.mark.parametrize(
    "document",
    [
        "[]",
        '{"table": []}',
        '{"tables": {}}',
        '{"table": {"name": "x"}}',
        '{"table": {"name": [1]}}',
        "{",
    ],
)
def test_a_wrong_mapping_file_is_refused_by_name(tmp_path, document):
    (tmp_path / "columns.json").write_text(document, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"columns\.json"):
        load_columns(str(tmp_path))
