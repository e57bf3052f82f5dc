import pytest
from shopping_agent.application.verification.figures import figures
from shopping_agent.domain.text import fold

HOUR, DAY = 3600, 86400


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("one hundred and ninety dirhams", [(190, "")]),
        ("cent quatre-vingt-dix dirhams", [(190, "")]),
        ("deux mille cinq cents", [(2500, "")]),
        ("مئتان وأربعون درهماً", [(240, "")]),
        ("غير بأربعمية درهم", [(400, "")]),
        ("mya w 3achra dirham, 150 ml", [(110, ""), (150, "ml")]),
        ("b rb3myat dirham", [(400, "")]),
        ("two bottles and three pieces", [(2, "piece"), (3, "piece")]),
        ("قارورتان", [(2, "piece")]),
        ("1 to 2 working days", [(DAY, "time"), (2 * DAY, "time")]),
        ("8 حتى 12 ساعة", [(8 * HOUR, "time"), (12 * HOUR, "time")]),
        ("forty-five hours", [(45 * HOUR, "time")]),
        ("the next working day", [(DAY, "time")]),
        ("خلال شهر كامل", [(30 * DAY, "time")]),
        ("خمسة بالمئة", [(5, "percent")]),
        ("20% off", [(20, "percent")]),
        ("lwe7da b 140", [(140, "")]),
        ("a perfume of character", []),
    ],
)
def test_numbers_are_read_in_digits_and_words_with_their_unit(text, read) -> None:
    assert [(f.value, f.unit) for f in figures(fold(text))] == read
