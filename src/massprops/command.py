"""Typer's command with conversions of its own.

Typer converts values by Pydantic, whose import alone takes longer than measuring a part. The kinds of values that
this command line has are few.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any, get_args, get_origin

import typer
from typer.core import TyperCommand

_KINDS = {float: "a number", int: "a whole number"}

_MOST = 10**9
"""Largest whole number: more lines, edges or processes than there can be."""


class PlainCommand(TyperCommand):
    """A command whose parameters are strings, numbers, tuples of numbers, lists of strings, and flags."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters, ``--help`` among them, with their conversion."""
        parameters = super().get_params(ctx)
        for parameter in parameters:
            parameter.process_value = partial(_processed, parameter)  # type: ignore[method-assign]
        return parameters


def _processed(parameter: Any, context: Any, value: Any) -> Any:
    annotation = parameter.type_descriptor.annotation
    if value is not None and annotation is not bool and get_origin(annotation) is not list:
        value = _converted(parameter, annotation, value)
    return value if parameter.callback is None else parameter.callback(context, parameter, value)


def _converted(parameter: Any, annotation: Any, value: Any) -> Any:
    kinds = get_args(annotation)
    if kinds:
        return tuple(_converted(parameter, kind, item) for kind, item in zip(kinds, value, strict=True))
    if annotation is str or isinstance(value, annotation):
        return value
    try:
        if "_" in value:  # Python's own mark between digits
            raise ValueError
        number = annotation(value)
    except ValueError:
        hint = "; with a decimal point, and spaces between numbers" if "," in value else ""
        raise _refusal(parameter, f"'{value}' is not {_KINDS[annotation]}{hint}") from None
    if isinstance(number, int) and not 0 <= number <= _MOST:
        raise _refusal(parameter, f"{value} is less than 0" if number < 0 else f"{value} is more than {_MOST}")
    if not math.isfinite(number):
        raise _refusal(parameter, f"{value} is not a finite number")
    return number


def _refusal(parameter: Any, reason: str) -> typer.BadParameter:
    return typer.BadParameter(reason, param_hint=f"'{parameter.opts[0]}'")
