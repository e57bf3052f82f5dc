"""Contact details and words of health leave what is sent and kept; product names and shop figures never do."""

import pytest
from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.domain.contact_details import find_details, phone_value
from shopping_agent.domain.privacy import Privacy

DETAILS = [
    ("call me on 0612345678", "phone", "0612345678"),
    ("mon tel 06 12 34 56 78 svp", "phone", "06 12 34 56 78"),
    ("+212 6 12 34 56 78", "phone", "+212 6 12 34 56 78"),
    ("00212612345678", "phone", "00212612345678"),
    ("212612345678", "phone", "212612345678"),
    ("٠٦١٢٣٤٥٦٧٨", "phone", "٠٦١٢٣٤٥٦٧٨"),
    ("رقمي ٠٦ ١٢ ٣٤ ٥٦ ٧٨", "phone", "٠٦ ١٢ ٣٤ ٥٦ ٧٨"),
    ("+33 6 12 34 56 78", "phone", "+33 6 12 34 56 78"),
    ("+1 (212) 555-0123", "phone", "+1 (212) 555-0123"),
    ("(212) 555-0123", "phone", "(212) 555-0123"),
    ("06.12.34.56.78", "phone", "06.12.34.56.78"),
    ("06-12-34-56-78", "phone", "06-12-34-56-78"),
    ("06/12/34/56/78", "phone", "06/12/34/56/78"),
    ("+212(0)612345678", "phone", "+212(0)612345678"),
    ("nmrti 612345678", "phone", "612345678"),
    ("my number is 612345678", "phone", "612345678"),
    ("\u202a+212 661-234567\u202c", "phone", "+212 661-234567"),
    ("0522 27 15 16", "phone", "0522 27 15 16"),
    ("٠٠٢١٢٦١٢٣٤٥٦٧٨", "phone", "٠٠٢١٢٦١٢٣٤٥٦٧٨"),
    ("+971501234567", "phone", "+971501234567"),
    ("tel:0661234567", "phone", "0661234567"),
    ("salma.b@example.com", "email", "salma.b@example.com"),
    ("write to x @ gmail.com", "email", "x @ gmail.com"),
    ("salma at gmail dot com", "email", "salma at gmail dot com"),
    ("4111 1111 1111 1111", "card", "4111 1111 1111 1111"),
    ("card 5555555555554444 120 MAD", "card", "5555555555554444"),
    ("4111-1111-1111-1111", "card", "4111-1111-1111-1111"),
    ("378282246310005", "card", "378282246310005"),
    ("4111 1111 1111 1111 120 MAD", "card", "4111 1111 1111 1111"),
    ("deliver to 12 rue Ibn Batouta, Casablanca", "address", "12 rue Ibn Batouta"),
    ("my address is 12 bis avenue Hassan II appt 4", "address", "12 bis avenue Hassan II appt 4"),
    ("12 rue Tarik Ibn Ziad, 20000 Casablanca", "address", "12 rue Tarik Ibn Ziad, 20000"),
    ("livrer au 12 rue des fleurs et ajoute le deuxième", "address", "12 rue des fleurs"),
    ("عنواني شارع محمد الخامس رقم 12", "address", "شارع محمد الخامس رقم 12"),
    ("hay salam n° 45 imm 3", "address", "hay salam n° 45 imm 3"),
    ("I live at 12 Main Street", "address", "12 Main Street"),
    ("ship it to 45 Old Mill Road please", "address", "45 Old Mill Road"),
    ("J'habite 14, boulevard Zerktouni", "address", "14, boulevard Zerktouni"),
]

NO_DETAILS = [
    "order number 0612345678",
    "commande n° 0612345678",
    "Tilila No 5",
    "1 000 000 MAD",
    "50/75/100 ml",
    "under 800 MAD or 1200",
    "le 01/12/2026 10h",
    "2026-11-30 10:00",
    "order #100234567",
    "31 Rue Cambon",
    "add 31 rue cambon 100 ml",
    "2 x 50 ml, 3 x 100 ml",
    "price between 300-400 or 500-6000",
    "212 VIP men 100 ml",
    "CH 212",
    "1234567890123",
    "the 3 rd one",
    "add 2 rose avenue",
    "EAN 5901234123457",
    "between 1,200.50 and 1,300.75",
    "product 4456234231421",
    "طلب رقم 0612345678",
    "do you deliver to Agadir",
    "je veux 2 flacons de 100 ml à 690 MAD",
    "delivery in 24/48 h",
    "9 12 15 18 20 25 30 35",
    "No 5, No 19 and No 22",
    "from 500 000 to 600 000",
    "8h30 - 19h30",
    "5 étoiles",
    "avenue",
    "order 20261130-0001",
    "0.5 ml 0.75 ml",
    "size 0, 1, 2, 3, 4, 5, 6, 7, 8, 9",
    "quartier",
    "4 hay",
    "flat 50 dh shipping",
    "livraison au quartier maarif",
]

HEALTH = [
    ("something light, I get migraines", "migraine"),
    ("J'ai de l'asthme et je suis enceinte", "asthme"),
    ("j'ai de l'eczéma", "eczéma"),
    ("عندي حساسية من العطور", "حساسية"),
    ("وبالحساسية", "حساسية"),
    ("أنا حامل", "حامل"),
    ("لأنني حاملٌ", "حامل"),
    ("فيا الشقيقة بزاف", "الشقيقة"),
    ("rasi kaydrni mn l3otor", "kaydrni"),
    ("3ndi 7assasiya", "7assasiya"),
    ("ana 7amla", "7amla"),
    ("I'm ALLERGIC to jasmine", "ALLERGIC"),
]


@pytest.fixture(scope="module")
def privacy() -> Privacy:
    pack = load_store_pack("")
    return Privacy.of(pack.vocabulary, pack.contacts)


@pytest.mark.parametrize(("text", "kind", "written"), DETAILS)
def test_a_contact_detail_is_found_where_it_stands(text: str, kind: str, written: str) -> None:
    detail = find_details(text)[0]
    assert (detail.kind, text[detail.start : detail.end]) == (kind, written)


@pytest.mark.parametrize("text", NO_DETAILS)
def test_orders_prices_sizes_dates_and_names_are_no_contact_details(
    privacy: Privacy, text: str
) -> None:
    assert privacy.without_contacts(text) == text


@pytest.mark.parametrize(
    "written",
    ["+212 6 12 34 56 78", "00212612345678", "212612345678", "06.12.34.56.78", "٠٦١٢٣٤٥٦٧٨"],
)
def test_every_way_to_write_a_moroccan_number_is_one_number(written: str) -> None:
    assert phone_value(written) == "0612345678"


def test_what_stands_round_a_detail_stays(privacy: Privacy) -> None:
    text = "add the second one, ship to 12 rue Ibn Batouta and call 0612345678 or a.b@example.com"
    expected = "add the second one, ship to [address] and call [phone] or [email]"
    assert privacy.without_contacts(text) == expected


def test_the_stores_own_contacts_are_public(privacy: Privacy) -> None:
    pack = load_store_pack("")
    text = f"{pack.contacts.phone}, {pack.contacts.whatsapp}, {pack.contacts.email}"
    assert privacy.for_keeping(text) == text


@pytest.mark.parametrize(("text", "word"), HEALTH)
def test_words_of_health_are_not_kept_but_stay_for_the_turn(
    privacy: Privacy, text: str, word: str
) -> None:
    assert privacy.without_contacts(text) == text
    kept = privacy.for_keeping(text)
    assert word not in kept
    assert "[private]" in kept


@pytest.mark.parametrize(
    "text",
    [
        "Something fresh for summer, under 800 MAD, and add the best one to my cart",
        "Un parfum chaud et sucré pour un mariage",
        "هدية لشقيقتي في حدود 500 درهم",
        "bghit chi ri7a zwina l sif 9al mn 800 dh",
        "عطر منعش للصيف",
    ],
)
def test_a_wish_without_health_is_kept_as_it_is(privacy: Privacy, text: str) -> None:
    assert privacy.for_keeping(text) == text


def test_a_products_name_is_never_damaged(privacy: Privacy) -> None:
    names = ["Migraine Rose", "31 Rue Cambon", "Numéro 06 12 34 56 78"]
    text = "my address is 31 Rue Cambon? no: add Migraine rose and numero 06 12 34 56 78, I get migraines"
    assert privacy.for_keeping(text, names) == text.replace("migraines", "[private]")


def test_a_reply_is_kept_with_its_products_whole(privacy: Privacy) -> None:
    product = {"name": "Eczema No 5", "description": "Kind to sensitive skin"}
    body = {
        "answer": "Eczema No 5 suits your eczema.",
        "products": [product],
        "cart": {"items": []},
    }
    kept = privacy.reply_for_keeping(body)
    assert kept == {**body, "answer": "Eczema No 5 suits your [private]."}


def test_a_long_text_is_searched_to_its_end(privacy: Privacy) -> None:
    assert "migraine" not in privacy.for_keeping("x" * 9_000 + " " + "light " * 2_000 + "migraine")


def test_a_pack_without_words_of_health_keeps_texts_whole(privacy: Privacy) -> None:
    from shopping_agent.domain.vocabulary import Vocabulary

    bare = Privacy(Vocabulary.from_document({"note": {"rose": {"en": "rose"}}}))
    assert bare.for_keeping("I get migraines") == "I get migraines"


def test_reasons_and_chips_of_a_kept_reply_tell_nothing_of_health(privacy: Privacy) -> None:
    body = {
        "answer": "Take One.",
        "products": [
            {"name": "One", "reasons": ["Fresh: it is kind to migraines."]},
            {"name": "Two"},
        ],
        "suggestions": ["summer", "Remember for this conversation: gets migraines"],
    }
    kept = privacy.reply_for_keeping(body)
    assert kept["products"] == [
        {"name": "One", "reasons": ["Fresh: it is kind to [private]."]},
        {"name": "Two"},
    ]
    assert kept["suggestions"] == ["summer", "Remember for this conversation: gets [private]"]
