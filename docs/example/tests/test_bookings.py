from datetime import date

import pytest

from quayside.bookings import Taken, book, free_berths

FRIDAY, SUNDAY, MONDAY = date(2026, 12, 4), date(2026, 12, 6), date(2026, 12, 7)


def test_an_overlap_is_refused_by_the_table(connection):
    book(connection, 1, FRIDAY, SUNDAY)
    with pytest.raises(Taken):
        book(connection, 1, date(2026, 12, 5), MONDAY)


def test_the_day_of_leaving_is_free_again(connection):
    book(connection, 1, FRIDAY, SUNDAY)
    assert free_berths(connection, SUNDAY, MONDAY) == [1, 2]
