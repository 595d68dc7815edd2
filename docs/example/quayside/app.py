"""HTTP front of the service."""

import json
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from quayside import bookings, db


class Api(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        url = urlsplit(self.path)
        if url.path != "/berths/free":
            return self.answer(404, {"error": "no such page"})
        query = parse_qs(url.query)
        try:
            arrives, leaves = (date.fromisoformat(query[key][0]) for key in ("from", "to"))
        except (KeyError, ValueError):
            return self.answer(400, {"error": "give from and to as dates, for example 2026-12-01"})
        with db.connect() as connection:
            self.answer(200, {"berths": bookings.free_berths(connection, arrives, leaves)})

    def do_POST(self) -> None:
        if self.path != "/bookings":
            return self.answer(404, {"error": "no such page"})
        order = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        stay = date.fromisoformat(order["from"]), date.fromisoformat(order["to"])
        try:
            with db.connect() as connection:
                self.answer(201, {"price_cents": bookings.book(connection, order["berth"], *stay)})
        except bookings.Taken:
            self.answer(409, {"error": "that berth is taken for one of these nights"})

    def answer(self, status: int, body: dict) -> None:
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


if __name__ == "__main__":
    with db.connect() as start:
        db.migrate(start)
    ThreadingHTTPServer(("localhost", 8080), Api).serve_forever()
