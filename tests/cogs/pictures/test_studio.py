"""The studio's cache of pictures."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from cogs.pictures.spec import Spec
from cogs.pictures.studio import MAX_CACHED, Studio


@dataclass(frozen=True)
class Card:
    number: int


class OtherCard(Card): ...


@pytest.fixture
def drawn_specs(monkeypatch: pytest.MonkeyPatch) -> list[Spec]:
    """Record the drawings from now on, in order; each picture is the text of its spec."""
    specs: list[Spec] = []

    def render(studio: Studio, spec: Spec) -> bytes:
        specs.append(spec)
        return repr(spec).encode()

    monkeypatch.setattr(Studio, "render", render)
    return specs


def test_a_picture_is_drawn_once_for_specs_that_are_equal(drawn_specs: list[Spec]) -> None:
    studio = Studio([])
    assert studio.cached_picture(Card(1)) is None
    found = [studio.cached_or_rendered(Card(1)), studio.cached_or_rendered(Card(1)), studio.cached_picture(Card(1))]
    assert found == [repr(Card(1)).encode()] * 3
    assert studio.cached_or_rendered(OtherCard(1)) == repr(OtherCard(1)).encode()
    assert drawn_specs == [Card(1), OtherCard(1)]


def test_those_asked_for_last_are_kept(drawn_specs: list[Spec]) -> None:
    studio = Studio([])
    for number in range(MAX_CACHED):
        studio.cached_or_rendered(Card(number))
    studio.cached_or_rendered(Card(0))
    studio.cached_or_rendered(Card(MAX_CACHED))
    assert studio.cached_picture(Card(0)) == repr(Card(0)).encode()
    assert studio.cached_picture(Card(1)) is None
    assert len(studio._png_cache) == MAX_CACHED


def test_many_threads_may_ask_at_once(drawn_specs: list[Spec]) -> None:
    studio, cards = Studio([]), [Card(number) for number in range(2 * MAX_CACHED)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(studio.cached_or_rendered, cards * 3))
    assert found == [repr(card).encode() for card in cards] * 3
    assert len(studio._png_cache) == MAX_CACHED
