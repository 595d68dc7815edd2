from datetime import date

from quayside.tariffs import price_cents


def test_a_started_metre_counts_whole():
    assert price_cents(9.5, date(2026, 12, 4), date(2026, 12, 5)) == 3100


def test_the_night_belongs_to_its_evening():
    assert price_cents(10, date(2026, 8, 31), date(2026, 9, 2)) == 4340 + 3100
