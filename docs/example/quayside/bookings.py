"""Finds and books berths."""

from datetime import date

import psycopg
from psycopg import errors

from quayside.tariffs import price_cents


class Taken(Exception):
    """Somebody else holds the berth for one of these nights."""


def free_berths(connection: psycopg.Connection, arrives: date, leaves: date) -> list[int]:
    rows = connection.execute(
        "select id from berth where not exists (select from booking"
        " where berth_id = berth.id and stay && daterange(%s, %s)) order by id",
        (arrives, leaves),
    )
    return [berth for (berth,) in rows]


def book(connection: psycopg.Connection, berth: int, arrives: date, leaves: date) -> int:
    """Book a berth and return its price; the table itself refuses an overlap."""
    (length,) = connection.execute("select length_m from berth where id = %s", (berth,)).fetchone()
    price = price_cents(float(length), arrives, leaves)
    try:
        with connection.transaction():
            connection.execute(
                "insert into booking (berth_id, stay, price_cents) values (%s, daterange(%s, %s), %s)",
                (berth, arrives, leaves, price),
            )
    except errors.ExclusionViolation as overlap:
        raise Taken(berth) from overlap
    return price
