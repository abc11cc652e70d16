"""A number of things in words, of which there may be one."""

from __future__ import annotations


def number_of(number: object, noun: str, plural: str | None = None) -> str:
    """A number of things.

    >>> number_of(1, "body", "bodies"), number_of(2, "facet")
    ('1 body', '2 facets')
    """
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
