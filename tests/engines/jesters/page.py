"""`make components`: docs/rules/jesters-components.md, all components of Jesters, their chances, and how they play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from engines.jesters import effects
from engines.jesters.components import catalogue as parts
from engines.jesters.components.component_types import CARD_PRICES
from engines.jesters.requirements.evaluation import Requirement, is_met, success_chance
from tests.engines.jesters import trials
from tests.engines.jesters.games import SEATS, Attempts, Figures, load_figures, record_all, sum_figures

PAGE_FILE = Path(__file__).resolve().parents[3] / "docs" / "rules" / "jesters-components.md"
PLAY_HEADING = "## How they play\n"
NAMES = (*parts.COLOURS, "any")
GIFT_WORDS = {
    "Opposite": "opposite side",
    "Recolour": "another colour",
    "FameForSymbol": "Fame for a symbol",
    "FameForColour": "Fame for a colour",
    "Extra": "extra Technique",
    "Reroll": "reroll",
}
COLUMNS = "| no. | name | asks for | dice | one fewer | chance | one more | {}symbols |"

OPENING = """# The components of Jesters

The published rules show most components only in pictures, and those are lost. All lists on this page are **our own**;
the published rules decide how they are used. The data is in `engines/jesters/components.toml`. `make components` writes
this page from it, and a test checks that the page is up to date.

## Requirements

- `sum >= 9`: all dice together show at least 9. `2 dice sum <= 6`: two of the dice together show at most 6.
- `pair`, `3 alike`: two or three dice show the same number. `pair and 3 alike`: two such groups without a common die;
  both may show the same number.
- `run of 3`: three dice in sequence, such as 2, 3 and 4. `3 different`: three dice with different numbers.
- `3 dice >= 4`: three dice show 4, 5 or 6.
- `each 1/3 2/4 2/5 1/6`: one die for each slot, which shows one of the slot's numbers.
- `…, one blue`: one of the dice that meet the requirement is blue; for `sum >=` all dice count.

Some of the rolled dice are enough to meet a requirement; further dice do no harm.
"""

DIFFICULTY = """## Performances

*Dice* is the natural number of dice, and *chance* the exact chance that they meet the requirement without any help
(S23). The roll has exactly as many dice of each colour as the requirement asks for; the others have other colours. The
columns beside it are for one die fewer and one die more. Fame follows difficulty: their rank correlation is {}.
"""

FAVORITES = """## Favorites

A Favorite brings a Gift instead of Fame, and its symbols count for a majority.
"""

JEST_CARDS = """## Jest cards

The top half is for learning; the bottom half changes one rolled die. Strong halves come with weak ones: the price of a
top half is 1 for one Technique, 4 for two and 7 for three, and 1 more for each of any colour. The list below has the
prices of bottom halves. Both prices together come to {} to {} on every card.

The last column shows how strong a bottom half is: the share of misses that it would turn into a success, on average
over the Performances with up to four natural dice, each rolled with those. For a bottom half that names a colour it is
the average over the four colours.
"""

GIFTS = """## Gifts

Each has one symbol, and may be used once a round. Three of their powers are worded so that they are worth about as much
as the others (**our rulings**): using a colour means completing a Performance that asks for it; a changed colour brings
1 Fame when the Performance is completed with such a die; the reroll is of all dice.
"""

HOW = """
Counted in {} games of four players who all decide in the same sensible way (S24): they weigh the gain of a task against
the Jest cards that it takes to learn the Techniques and to correct a miss. They know only what their seat may know.
"""

TASKS = """{} of all attempts succeed. For {} of the {} Performances and Favorites it is 75 to 90 %, for {} it is
more, for {} less:
"""

TRIALS = """## Trials of balance

In each game one of the four seats is dealt a Gift of one kind on purpose, or plays as if a failure cost nothing. The
other three get random Gifts and play sensibly. `make trials` plays the games that are not on record yet, and may be
stopped at any time. `make components` counts the games above and writes this page.

The aims: every kind of Gift wins 22 to 28 % of its games; 75 to 90 % of all attempts succeed; a player who ignores
failures wins at most 27 %; fewer than two turns in five are a plain Learn. Three of these aims conflict.

- Fewer turns of learning need Jest cards that bring three Techniques. With so many dice the Gifts that change a colour
  are hardly needed, so they bring 1 Fame when used.
- If attempts fail more often, all Gifts that change a roll are worth more than those of Fame. So most Performances are
  worth little Fame, and the one reroll is of all dice.
- The Performances that can still be read ask little. They are worth 2 or 3 Fame and succeed in about 90 % of tries or
  more, like most others worth so little: two dice and a Jest card are enough. Three tasks fail more often than the aim,
  above all the hardest one, whose 9 Fame are worth a try.
"""


def main() -> None:
    """Play, and write the page; the trials are those on record."""
    record_all()
    PAGE_FILE.write_text(full_page(), encoding="utf-8")


def full_page() -> str:
    """The whole page; the games are those on record."""
    return component_lists() + PLAY_HEADING + play_statistics(sum_figures(load_figures()))


def component_lists() -> str:
    """The part of the page that comes from the lists alone."""
    return "\n".join([OPENING, _performance_section(), _favorite_section(), _jest_card_section(), _gift_section(), ""])


def play_statistics(figures: Figures) -> str:
    """The part of the page that tells how the games went."""
    turns = {"Learn": "learn", "Perform": "perform", "Pass": "pass"}
    cards = {"learn": "to learn", "bottom": "for the bottom half", "reroll": "for a reroll", "left": "not at all"}
    tables = (
        _seat_table(figures),
        f"What players do in a turn:\n\n{_share_table('| turn | share |', turns, figures.actions)}",
        _attempt_section(figures),
        _task_table(figures),
        f"What Jest cards are used for:\n\n{_share_table('| used | cards |', cards, figures.cards)}",
        _gift_use_table(figures),
        _trial_section(),
    )
    return "\n".join([HOW.format(f"{figures.games:,}"), *tables])


def miss_chance(task: parts.Task) -> Fraction:
    """S23: the exact chance to miss with the natural dice."""
    return 1 - success_chance(task.requirement, task.natural_colours)


def rank_correlation(one: Sequence[float | Fraction], other: Sequence[float | Fraction]) -> float:
    """Spearman's, with the mean rank for equal values."""
    ranks = [[sum(a < b for a in values) + sum(a == b for a in values) / 2 for b in values] for values in (one, other)]
    (first, second), mean = ranks, len(one) / 2
    products = [(a - mean) * (b - mean) for a, b in zip(first, second, strict=True)]
    squares = [sum((a - mean) ** 2 for a in values) for values in ranks]
    return float(sum(products) / (squares[0] * squares[1]) ** 0.5)


def _markdown_table(head: str, rows: Iterable[Iterable[object]]) -> str:
    lines = [f"| {' | '.join(map(str, row))} |" for row in rows]
    return "\n".join([head, "|" + " --- |" * (head.count("|") - 1), *lines, ""])


def _share_table(head: str, words: Mapping[Any, object], counts: Counter[Any]) -> str:
    """A table of what share each has of all that was counted, by its word."""
    rows = [[word, format_percent(counts[kind] / counts.total(), 1)] for kind, word in words.items()]
    return _markdown_table(head, rows)


def format_percent(share: Fraction | float, digits: int = 0) -> str:
    return f"{100 * float(share):.{digits}f} %"


# --- lists


def _performance_section() -> str:
    tasks = parts.all_components().performances
    correlation = rank_correlation([task.fame for task in tasks], [miss_chance(task) for task in tasks])
    rows = [[*_task_columns(task), task.fame, _symbol_names(task.symbols)] for task in tasks]
    return f"{DIFFICULTY.format(f'{correlation:.2f}')}\n{_markdown_table(COLUMNS.format('Fame | '), rows)}"


def _favorite_section() -> str:
    rows = [[*_task_columns(task), _symbol_names(task.symbols)] for task in parts.all_components().favorites]
    return f"{FAVORITES}\n{_markdown_table(COLUMNS.format(''), rows)}"


def _task_columns(task: parts.Task) -> list[object]:
    """The columns that Performances and Favorites share."""
    numbers = [task.model_copy(update={"dice": dice}) for dice in (task.dice - 1, task.dice, task.dice + 1)]
    fewer, chance, more = (format_percent(1 - miss_chance(each), 1) for each in numbers)
    fewer = fewer if task.dice > max(task.requirement.form.dice_needed, 2) else "—"
    return [task.id, task.name, f"`{task.requirement}`", task.dice, fewer, chance, more]


def _symbol_names(symbols: Iterable[int]) -> str:
    return ", ".join(parts.SYMBOLS[symbol] for symbol in symbols)


def _jest_card_section() -> str:
    cards = parts.all_components().jest_cards
    rows = [
        [card.id, _top_colours(card), card.top_price, bottom_words(card.bottom), card.bottom.price] for card in cards
    ]
    strengths = [[words, price, format_percent(share)] for words, price, share in bottom_strengths()]
    text = JEST_CARDS.format(CARD_PRICES[0], CARD_PRICES[-1])
    strength = _markdown_table("| bottom half | price | misses mended |", strengths)
    return f"{text}\n{strength}\n{_markdown_table('| no. | top half | price | bottom half | price |', rows)}"


def _top_colours(card: parts.JestCard) -> str:
    return ", ".join(NAMES[colour] for colour in card.top)


def bottom_words(bottom: parts.Bottom) -> str:
    """`±2 red`, `turn red`."""
    return f"{'turn' if isinstance(bottom, parts.TurnOver) else f'±{bottom.amount}'} {NAMES[bottom.colour]}"


def bottom_strengths() -> list[tuple[str, int, Fraction]]:
    """By kind of bottom half: words, price, and how many of the misses it mends. By price."""
    kinds = {}
    for card in parts.all_components().jest_cards:
        words = bottom_words(card.bottom)
        plain = words if card.bottom.colour == parts.ANY else f"{words.split()[0]} a colour"
        kinds[plain, card.bottom.price] = card
    tasks = [task for task in parts.all_components().performances if task.dice <= 4]
    found = [
        (words, price, Fraction(sum(mended_share(task, card) for task in tasks)) / len(tasks))
        for (words, price), card in kinds.items()
    ]
    return sorted(found, key=lambda kind: kind[1])


def mended_share(task: parts.Performance, card: parts.JestCard) -> Fraction:
    """How many of a Performance's misses its bottom half mends; where that names a colour, over all four."""
    mended, wanted = Fraction(0), card.bottom.colour
    misses = _misses(task.requirement, task.natural_colours)
    for faces, mends in misses:
        dice = zip(task.natural_colours, faces, mends, strict=True)
        found = {colour for colour, face, to in dice if to & {*effects.reachable_faces(card.id, wanted, face)}}
        mended += bool(found) if wanted == parts.ANY else Fraction(len(found), len(parts.COLOURS))
    return mended / len(misses)


@cache
def _misses(requirement: Requirement, colours: tuple[int, ...]) -> list[tuple[tuple[int, ...], list[frozenset[int]]]]:
    """Every roll that misses; and die by die, the faces with which it would not."""
    found = []
    for faces in product(range(1, 7), repeat=len(colours)):
        dice = list(zip(colours, faces, strict=True))
        if not is_met(requirement, dice):
            mends: list[frozenset[int]] = []
            for place, colour in enumerate(colours):
                others = [*dice[:place], *dice[place + 1 :]]
                mends.append(frozenset(to for to in range(1, 7) if is_met(requirement, [*others, (colour, to)])))
            found.append((faces, mends))
    return found


def _gift_section() -> str:
    rows = [[gift.id, _effect_text(gift.effect), parts.SYMBOLS[gift.symbol]] for gift in parts.all_components().gifts]
    return f"{GIFTS}\n{_markdown_table('| no. | Gift | symbol |', rows)}"


def _effect_text(effect: parts.Effect) -> str:
    match effect:
        case parts.Opposite(colour):
            return f"turn a {parts.COLOURS[colour]} die to its opposite side"
        case parts.Recolour(colour):
            return f"change any of the rolled dice to {parts.COLOURS[colour]}; 1 Fame for completing with one"
        case parts.FameForSymbol(symbol):
            return f"2 Fame for a completed Performance of {parts.SYMBOLS[symbol]}"
        case parts.FameForColour(colour):
            return f"2 Fame for completing what asks for {parts.COLOURS[colour]}"
        case parts.Extra():
            return "one extra Technique from the middle, rolled at once"
        case parts.Reroll():
            return "roll all dice again"


# --- play


def _seat_table(figures: Figures) -> str:
    seats = figures.games * SEATS
    wins = {"seat": figures.wins, "turn order": figures.turns}
    rows = [[by, *(format_percent(won / figures.games, 1) for won in row)] for by, row in wins.items()]
    fame = [[kind, f"{total / seats:.1f}"] for kind, total in figures.fame.items()]
    fame.append(["in all", f"{figures.fame.total() / seats:.1f}"])
    return "\n".join(
        [
            "Games won; a shared win counts in parts:\n",
            _markdown_table("| by | first | second | third | fourth |", rows),
            f"A seat completes {figures.mean_completed:.1f} Performances on average:\n",
            _share_table("| Performances | seats |", {n: n for n in sorted(figures.completed)}, figures.completed),
            _share_table("| failures | seats |", {n: n for n in sorted(figures.failures)}, figures.failures),
            "Where a seat's Fame comes from, on average:\n",
            _markdown_table("| Fame of | Fame |", fame),
        ]
    )


def _trial_section() -> str:
    """What the trials came to, and how each Performance goes."""
    there = trials.load_parts()
    rows = []
    for trial, name in {**GIFT_WORDS, trials.HEEDLESS: "ignores failure"}.items():
        parts_of = there[trial]
        tried, met = sum(part.attempts for part in parts_of), sum(part.met for part in parts_of)
        games = trials.GAMES_PER_PART * len(parts_of)
        rows.append([name, f"{games:,}", format_percent(trials.win_share(parts_of), 1), format_percent(met / tried, 1)])
    return f"{TRIALS}\n{_markdown_table('| seat | games | won | of its attempts met |', rows)}"


def _attempt_section(figures: Figures) -> str:
    rows = [_attempt_row(fame or "Favorite", figures.by_fame[fame], figures.games) for fame in sorted(figures.by_fame)]
    rounds = ", ".join(f"{figures.by_round[number] / figures.games / SEATS:.1f}" for number in sorted(figures.by_round))
    return "\n".join(
        [
            "Attempts by the Fame they are for. *At once* are those that were met as rolled. Cards and Gifts are what",
            "an attempt takes on average; *brings* is the Fame of an attempt, failures counted. In the first, second",
            f"and third round a seat makes {rounds} attempts.\n",
            _markdown_table(
                "| Fame | a game | dice | at once | met | bottom halves | rerolls | Gifts | brings |", rows
            ),
        ]
    )


def _attempt_row(fame: int | str, attempts: Attempts, games: int) -> list[object]:
    number = attempts.number
    shares = [format_percent(share / number) for share in (attempts.at_once, attempts.met)]
    means = [f"{mean / number:.2f}" for mean in (attempts.bottoms, attempts.rerolls, attempts.gifts)]
    brings = f"{fame * attempts.met / number:.1f}" if isinstance(fame, int) else "a Gift"
    return [fame, f"{number / games:.1f}", f"{attempts.dice / number:.1f}", *shares, *means, brings]


def _task_table(figures: Figures) -> str:
    """How often each Performance and Favorite is tried, and how often an attempt at it succeeds."""
    rates = {task: figures.done[task] / number for task, number in sorted(figures.tried.items())}
    counts = [sum(rate > 0.9 for rate in rates.values()), sum(rate < 0.75 for rate in rates.values())]
    every = format_percent(figures.done.total() / figures.tried.total(), 1)
    rows = []
    for number, rate in sorted(rates.items(), key=lambda pair: (pair[0] < 0, abs(pair[0]))):
        task = parts.favorite(-number) if number < 0 else parts.performance(number)
        fame = "Favorite" if isinstance(task, parts.Favorite) else task.fame
        rows.append([task.id, task.name, fame, f"{figures.tried[number] / figures.games:.1f}", format_percent(rate)])
    text = TASKS.format(every, len(rates) - sum(counts), len(rates), *counts)
    return f"{text}\n{_markdown_table('| no. | name | Fame | a game | met |', rows)}"


def _gift_use_table(figures: Figures) -> str:
    rows = [
        [word, f"{figures.owned[kind] / figures.games:.2f}", f"{figures.used[kind] / figures.games:.2f}"]
        for kind, word in GIFT_WORDS.items()
    ]
    return f"Gifts, a game:\n\n{_markdown_table('| Gift | owned at the end | used |', rows)}"


if __name__ == "__main__":
    main()
