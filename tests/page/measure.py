"""`python -m tests.page.measure [game]`: how high the messages of whole matches are, and photographs of them."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from cogs.pictures.raster.theme import MIN_TYPE_SIZE
from tests.contract.helpers import HELPERS
from tests.contract.laws.pictures import SmallTypeReader, match_pictures
from tests.page.inn import NARROW_SIZE, WIDE_SIZE
from tests.page.moments import PLAIN_NAMES, ShownMessage, hardest_messages, match_messages
from tests.page.moments import WIDEST_NAMES as WIDE_NAMES
from tests.page.ruler import Measurement, MessageRuler
from tests.page.windows import CHROMIUM, BrowserWindows

SCREEN_HEIGHT = 640  # of a telephone's 844 pixels, those that show messages
DESK_HEIGHT = 700
LONG_HEIGHT = 900  # what is read once: lobbies and results
MAX_BELOW = 130  # how far above the message's end its last control that makes a move may end

SAMPLE_COUNT = 10  # messages of each kind, by each of three ways to choose them


@dataclass(frozen=True, slots=True)
class MeasuredMessage:
    """A message, what was measured of it, and in which window."""

    message: ShownMessage
    size: tuple[int, int]
    measured: Measurement

    @property
    def max_height(self) -> int:
        """How high it may be."""
        if self.message.description in ("lobby", "result"):
            return LONG_HEIGHT
        return SCREEN_HEIGHT if self.size == NARROW_SIZE else DESK_HEIGHT

    @property
    def problems(self) -> Iterator[str]:
        """What is wrong with it."""
        measured = self.measured
        if measured.height > self.max_height:
            yield f"{measured.height:.0f} high, {self.max_height} at most"
        if self.size == NARROW_SIZE and measured.below > MAX_BELOW:
            yield f"its last move ends {measured.below:.0f} above the end, {MAX_BELOW} at most"
        if measured.wide:
            yield f"runs {measured.wide:.0f} out of its column"
        if measured.alone:
            yield "its ⋯ stands alone in a line"


async def measure_messages(
    shown: Sequence[ShownMessage], ruler: MessageRuler, size: tuple[int, int]
) -> list[MeasuredMessage]:
    """All of them, in such a window."""
    found = await ruler.measure([each.page for each in shown])
    return [MeasuredMessage(each, size, one) for each, one in zip(shown, found, strict=True)]


def game_messages(key: str, names: Sequence[str], seats: int = 0) -> list[ShownMessage]:
    """All messages of the matches of a game, perhaps of those with so many seats."""
    helper = HELPERS[key]
    starts = [start for start in helper.starts() if seats in (0, start.seats)]
    return [each for start in starts for each in match_messages(helper, start, names)]


def main(arguments: Sequence[str]) -> int:
    """Print the worst of each kind, and photograph what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.page.measure", description=__doc__)
    parser.add_argument("game", nargs="?", choices=list(HELPERS), help="only this game")
    parser.add_argument("--what", default="", help="only these: lobby, table, hand, step, order or result")
    parser.add_argument("--when", default="", help="only those that hold this, such as a kind of decision: bid")
    parser.add_argument("--seats", type=int, default=0, help="only matches with so many")
    parser.add_argument("--names", default="wide", choices=("wide", "plain"), help="32 wide signs, or Ada and Bela")
    parser.add_argument("--all", action="store_true", help="every message instead of the hardest of each kind")
    parser.add_argument("--desk", action="store_true", help="at 1280 pixels instead of 390")
    parser.add_argument("--light", action="store_true", help="in the light theme")
    parser.add_argument("--type", action="store_true", help="instead, what is written too small in pictures")
    parser.add_argument("--rank", type=int, default=0, help="photograph not the highest but the nth after it")
    parser.add_argument("--shot", type=Path, help="photograph the highest, or to a folder one of each kind")
    given = parser.parse_args(arguments)
    if given.type:
        return _print_small_type([given.game] if given.game else list(HELPERS))
    if CHROMIUM is None:
        sys.exit("Messages are measured by Chromium, which is not installed.")
    return asyncio.run(_run_measurement(given))


async def _run_measurement(given: argparse.Namespace) -> int:
    size, theme = (WIDE_SIZE if given.desk else NARROW_SIZE), ("light" if given.light else "dark")
    keys = [given.game] if given.game else list(HELPERS)
    shown = [
        each
        for key in keys
        for each in game_messages(key, PLAIN_NAMES if given.names == "plain" else WIDE_NAMES, given.seats)
        if each.description.startswith(given.what) and given.when in each.trigger
    ]
    if not given.all:
        shown = hardest_messages(shown, SAMPLE_COUNT, Random("hardest"))
    async with BrowserWindows.open() as browser, MessageRuler.open(browser, size, theme) as ruler:
        found = await measure_messages(shown, ruler, size)
        kinds = _group_by_kind(found)
        for kind, some in kinds.items():
            print(_kind_line(kind, some))
        for key in keys:
            mine = [each for each in found if each.message.game == key]
            wrong = sum(any(each.problems) for each in mine)
            print(f"{key}: {wrong} of {len(mine)} messages do not fit at {size[0]} pixels")
        if given.shot:
            await _photograph_kinds(given.shot, kinds, ruler, given.rank)
    return int(any(any(each.problems) for each in found))


def _print_small_type(keys: Sequence[str]) -> int:
    """What is written too small in the pictures of whole matches, the most often first."""
    found: Counter[str] = Counter()
    for helper in map(HELPERS.__getitem__, keys):
        for spec in {picture.spec for start in helper.starts() for _, picture in match_pictures(helper, start)}:
            for said, size in helper.studio.lay_out(spec, SmallTypeReader).small:
                found[
                    f"{helper.game.key} {type(spec).__name__}: “{said}” in type of {size}, {MIN_TYPE_SIZE} at least"
                ] += 1
    for line, times in found.most_common():
        print(f"{times:6} × {line}")
    return int(bool(found))


def _group_by_kind(found: Sequence[MeasuredMessage]) -> dict[str, list[MeasuredMessage]]:
    """By game, what it is and the decision, the highest first."""
    kinds: defaultdict[str, list[MeasuredMessage]] = defaultdict(list)
    for each in found:
        shown = each.message
        kinds[f"{shown.game} {shown.description} {shown.kind[-1]}"].append(each)
    return {kind: sorted(some, key=_badness, reverse=True) for kind, some in kinds.items()}


def _badness(found: MeasuredMessage) -> tuple[float, float]:
    return found.measured.height, found.measured.below


def _kind_line(kind: str, some: Sequence[MeasuredMessage]) -> str:
    """A kind of message: how many, how high, and the worst."""
    worst, below = some[0], max(each.measured.below for each in some)
    wrong = sum(any(each.problems) for each in some)
    picture = "×".join(f"{side:.0f}" for side in worst.measured.picture)
    return (
        f"{'!!' if wrong else 'ok'} {kind:32} {wrong:5} of {len(some):5} do not fit; "
        f"the highest {worst.measured.height:.0f}, its picture {picture}; moves end {below:.0f} above the end; "
        f"worst: {worst.message.seats} seats, {worst.message.trigger}"
    )


async def _photograph_kinds(to: Path, kinds: dict[str, list[MeasuredMessage]], ruler: MessageRuler, rank: int) -> None:
    """One photograph, or one of each kind."""
    if to.suffix == ".png":
        every = sorted((each for some in kinds.values() for each in some), key=_badness, reverse=True)
        chosen = {to: every[min(rank, len(every) - 1)]}
    else:
        chosen = {to / f"{kind.replace(' ', '-')}.png": some[min(rank, len(some) - 1)] for kind, some in kinds.items()}
    for path, each in chosen.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(await ruler.photograph(each.message.page))
        print(f"{path}: {each.message}, {each.measured.height:.0f} high")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
