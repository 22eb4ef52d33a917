"""What a screen is told beside the view, in tests that have no whole match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cogs.pictures.raster.typeface import SEAT_LETTERS, begun, plate_names
from cogs.screens.screen import Context


def make_context(names: Sequence[str], options: Any, sentences: Sequence[str] = ()) -> Context:
    """People of those names, short in pictures and in news as at a real table."""
    plates = plate_names(names)
    return Context(tuple(names), options, tuple(sentences), plates, tuple(map(begun, plates)))


def make_lettered_context(names: Sequence[str], options: Any, sentences: Sequence[str] = ()) -> Context:
    """The same where pictures show letters alone, which words then put before the names: so seats can be read."""
    return replace(make_context(names, options, sentences), plate_names=tuple(SEAT_LETTERS[: len(names)]))
