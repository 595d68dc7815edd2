"""Prices of a stay, in cents."""

from datetime import date, timedelta
from math import ceil

CENTS_PER_METRE = 310
SUMMER_SURCHARGE_PERCENT = 40
SUMMER = range(6, 9)


def price_cents(length_m: float, arrives: date, leaves: date) -> int:
    """Price one berth per started metre and night; the night belongs to its evening."""
    nights = (leaves - arrives).days
    if nights <= 0:
        raise ValueError("a stay is at least one night")
    night = ceil(length_m) * CENTS_PER_METRE
    total = 0
    for offset in range(nights):
        evening = arrives + timedelta(days=offset)
        surcharge = SUMMER_SURCHARGE_PERCENT if evening.month in SUMMER else 0
        total += night * (100 + surcharge) // 100
    return total
