"""Names by their sound: the same in Latin and Arabic script, and nothing that tells too little."""

import pytest
from shopping_agent.domain.sounds import sound_key, sound_keys


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("أضف عود مرجانة 50 مل", "Oud Marjana - 50 ml"),
        ("هل عندكم روز كلعة؟", "Rose Kelaa"),
        ("زيد ليا مسك طوندر", "Musc Tendre - 30 ml"),
        ("wach 3ndkom oud el 7arir?", "عود الحرير"),
        ("بغيت سيترون بلدي", "Citron Beldi"),
    ],
)
def test_a_name_in_the_other_script_has_the_key_of_the_name(written, name):
    assert sound_key(name) in sound_keys(written)


def test_a_short_sound_is_no_key():
    assert sound_key("Rose") is None
    assert sound_keys("rose") == []


def test_a_size_is_no_sound():
    assert sound_key("Oud Marjana - 50 ml") == sound_key("Oud Marjana")


def test_a_long_message_has_a_bounded_number_of_keys():
    words = " ".join(a + "r" + b + "t" for a in "bcdfgklmnp" for b in "bcdfgklmnp")
    assert len(sound_keys(words)) <= 120
