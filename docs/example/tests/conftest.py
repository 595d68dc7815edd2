import pytest

from quayside import db


@pytest.fixture
def connection():
    """A migrated database with two berths; everything a test does is rolled back."""
    with db.connect() as open_connection:
        db.migrate(open_connection)
        open_connection.execute("insert into berth values (1, 'north', 12), (2, 'north', 9.5)")
        yield open_connection
        open_connection.rollback()
