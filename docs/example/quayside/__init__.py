"""Sells berths in harbours by the night."""
