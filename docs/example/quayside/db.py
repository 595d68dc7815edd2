"""Connection and migrations."""

import os
from pathlib import Path

import psycopg

MIGRATIONS = Path(__file__).parent.parent / "migrations"


def connect() -> psycopg.Connection:
    return psycopg.connect(os.environ["QUAYSIDE_DSN"])


def migrate(connection: psycopg.Connection) -> None:
    """Apply every migration in the order of its number."""
    for script in sorted(MIGRATIONS.glob("*.sql")):
        connection.execute(script.read_text())
