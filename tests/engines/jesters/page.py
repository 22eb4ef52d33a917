"""`make components`: docs/rules/jesters-components.md, all components of Jesters, their chances, and how they play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

from engines.jesters.components import catalogue as parts
from engines.jesters.components.catalogue import (
    ANY,
    COLOURS,
    SYMBOLS,
    Bottom,
    Effect,
    Extra,
    FameForColour,
    FameForSymbol,
    JestCard,
    Opposite,
    Performance,
    Recolour,
    Reroll,
    Task,
    TurnOver,
)
from engines.jesters.components.component_types import CARD_PRICES
from engines.jesters.requirements.evaluation import Requirement, is_met, success_chance
from tests.engines.jesters import trials
from tests.engines.jesters.estimates import reachable_faces
from tests.engines.jesters.games import SEATS, Attempts, Figures, load_figures, record_all, sum_figures

PAGE_FILE = Path(__file__).resolve().parents[3] / "docs" / "rules" / "jesters-components.md"
PLAY_HEADING = "## How they play\n"
NAMES = (*COLOURS, "any")
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
    tables = (
        _seat_table(figures),
        _turn_table(figures),
        _attempt_section(figures),
        _task_table(figures),
        _card_table(figures),
        _gift_use_table(figures),
        _trial_section(),
    )
    return "\n".join([HOW.format(f"{figures.games:,}"), *tables])


def miss_chance(task: Task) -> Fraction:
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
    """A table in Markdown."""
    lines = [f"| {' | '.join(map(str, row))} |" for row in rows]
    return "\n".join([head, "|" + " --- |" * (head.count("|") - 1), *lines, ""])


def format_percent(share: Fraction | float, digits: int = 0) -> str:
    """A share as a percentage."""
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


def _task_columns(task: Task) -> list[object]:
    """The columns that Performances and Favorites share."""
    fewer = (
        format_percent(_chance_with(task, task.dice - 1), 1)
        if task.dice > max(task.requirement.form.dice_needed, 2)
        else "—"
    )
    asks = f"`{task.requirement}`"
    more = format_percent(_chance_with(task, task.dice + 1), 1)
    return [task.id, task.name, asks, task.dice, fewer, format_percent(1 - miss_chance(task), 1), more]


def _chance_with(task: Task, dice: int) -> Fraction:
    """The chance with another number of dice."""
    return success_chance(task.requirement, task.model_copy(update={"dice": dice}).natural_colours)


def _symbol_names(symbols: Iterable[int]) -> str:
    return ", ".join(SYMBOLS[symbol] for symbol in symbols)


def _jest_card_section() -> str:
    cards = parts.all_components().jest_cards
    rows = [
        [card.id, _top_colours(card), card.top_price, bottom_words(card.bottom), card.bottom.price] for card in cards
    ]
    strengths = [[words, price, format_percent(share)] for words, price, share in bottom_strengths()]
    text = JEST_CARDS.format(CARD_PRICES[0], CARD_PRICES[-1])
    strength = _markdown_table("| bottom half | price | misses mended |", strengths)
    return f"{text}\n{strength}\n{_markdown_table('| no. | top half | price | bottom half | price |', rows)}"


def _top_colours(card: JestCard) -> str:
    return ", ".join(NAMES[colour] for colour in card.top)


def bottom_words(bottom: Bottom) -> str:
    """`±2 red`, `turn red`."""
    return f"{'turn' if isinstance(bottom, TurnOver) else f'±{bottom.amount}'} {NAMES[bottom.colour]}"


def bottom_strengths() -> list[tuple[str, int, Fraction]]:
    """By kind of bottom half: words, price, and how many of the misses it mends. By price."""
    kinds = {(_plain_words(card.bottom), card.bottom.price): card.bottom for card in parts.all_components().jest_cards}
    tasks = [task for task in parts.all_components().performances if task.dice <= 4]
    found = [
        (words, price, Fraction(sum(mended_share(task, bottom) for task in tasks)) / len(tasks))
        for (words, price), bottom in kinds.items()
    ]
    return sorted(found, key=lambda kind: kind[1])


def _plain_words(bottom: Bottom) -> str:
    """Its words for a colour, whichever it is."""
    words = bottom_words(bottom)
    return words if bottom.colour == ANY else f"{words.split()[0]} a colour"


def mended_share(task: Performance, bottom: Bottom) -> Fraction:
    """How many of a Performance's misses it mends; where it names a colour, over all four."""
    mended = Fraction(0)
    misses = _misses(task.requirement, task.natural_colours)
    for faces, mends in misses:
        colours = {
            colour
            for colour, face, to in zip(task.natural_colours, faces, mends, strict=True)
            if to.intersection(reachable_faces(bottom, face))
        }
        mended += bool(colours) if bottom.colour == ANY else Fraction(len(colours), len(COLOURS))
    return mended / len(misses)


Miss = tuple[tuple[int, ...], tuple[frozenset[int], ...]]


@cache
def _misses(requirement: Requirement, colours: tuple[int, ...]) -> list[Miss]:
    """Every roll that misses; and die by die, the faces with which it would not."""
    found = []
    for faces in product(range(1, 7), repeat=len(colours)):
        dice = list(zip(colours, faces, strict=True))
        if not is_met(requirement, dice):
            ways = (
                frozenset(
                    to for to in range(1, 7) if is_met(requirement, [*dice[:place], (colour, to), *dice[place + 1 :]])
                )
                for place, colour in enumerate(colours)
            )
            found.append((faces, tuple(ways)))
    return found


def _gift_section() -> str:
    rows = [[gift.id, _effect_text(gift.effect), SYMBOLS[gift.symbol]] for gift in parts.all_components().gifts]
    return f"{GIFTS}\n{_markdown_table('| no. | Gift | symbol |', rows)}"


def _effect_text(effect: Effect) -> str:
    match effect:
        case Opposite(colour):
            return f"turn a {COLOURS[colour]} die to its opposite side"
        case Recolour(colour):
            return f"change any of the rolled dice to {COLOURS[colour]}; 1 Fame for completing with one"
        case FameForSymbol(symbol):
            return f"2 Fame for a completed Performance of {SYMBOLS[symbol]}"
        case FameForColour(colour):
            return f"2 Fame for completing what asks for {COLOURS[colour]}"
        case Extra():
            return "one extra Technique from the middle, rolled at once"
        case Reroll():
            return "roll all dice again"


# --- play


def _seat_table(figures: Figures) -> str:
    seats = figures.games * SEATS
    rows = [
        ["seat", *(format_percent(wins / figures.games, 1) for wins in figures.wins)],
        ["turn order", *(format_percent(wins / figures.games, 1) for wins in figures.turns)],
    ]
    fame = [[kind, f"{total / seats:.1f}"] for kind, total in figures.fame.items()]
    fame.append(["in all", f"{figures.fame.total() / seats:.1f}"])
    completed = [[number, format_percent(count / seats, 1)] for number, count in sorted(figures.completed.items())]
    failures = [[number, format_percent(count / seats, 1)] for number, count in sorted(figures.failures.items())]
    return "\n".join(
        [
            "Games won; a shared win counts in parts:\n",
            _markdown_table("| by | first | second | third | fourth |", rows),
            f"A seat completes {figures.mean_completed:.1f} Performances on average:\n",
            _markdown_table("| Performances | seats |", completed),
            _markdown_table("| failures | seats |", failures),
            "Where a seat's Fame comes from, on average:\n",
            _markdown_table("| Fame of | Fame |", fame),
        ]
    )


def _turn_table(figures: Figures) -> str:
    words = {"Learn": "learn", "Perform": "perform", "Pass": "pass"}
    rows = [[word, format_percent(figures.actions[kind] / figures.actions.total(), 1)] for kind, word in words.items()]
    return f"What players do in a turn:\n\n{_markdown_table('| turn | share |', rows)}"


def _trial_section() -> str:
    """What the trials came to, and how each Performance goes."""
    there = trials.load_parts()
    rows = []
    for trial, name in (
        *((kind, GIFT_WORDS[kind]) for kind in trials.gifts_by_kind()),
        (trials.HEEDLESS, "ignores failure"),
    ):
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
                "| Fame | a game | dice | at once | met | bottom halves | rerolls | Gifts | brings |",
                rows,
            ),
        ]
    )


def _attempt_row(fame: int | str, attempts: Attempts, games: int) -> list[object]:
    number = attempts.number
    means = [attempts.bottoms / number, attempts.rerolls / number, attempts.gifts / number]
    return [
        fame,
        f"{number / games:.1f}",
        f"{attempts.dice / number:.1f}",
        format_percent(attempts.at_once / number),
        format_percent(attempts.met / number),
        *(f"{mean:.2f}" for mean in means),
        f"{fame * attempts.met / number:.1f}" if isinstance(fame, int) else "a Gift",
    ]


def _task_table(figures: Figures) -> str:
    """How often each Performance and Favorite is tried, and how often an attempt at it succeeds."""
    rates = {task: figures.done[task] / number for task, number in sorted(figures.tried.items())}
    counts = [sum(rate > 0.9 for rate in rates.values()), sum(rate < 0.75 for rate in rates.values())]
    every = format_percent(figures.done.total() / figures.tried.total(), 1)
    rows = [
        [*_task_name_columns(task), f"{figures.tried[task] / figures.games:.1f}", format_percent(rate)]
        for task, rate in sorted(rates.items(), key=lambda pair: (pair[0] < 0, abs(pair[0])))
    ]
    text = TASKS.format(every, len(rates) - sum(counts), len(rates), *counts)
    return f"{text}\n{_markdown_table('| no. | name | Fame | a game | met |', rows)}"


def _task_name_columns(task: int) -> list[object]:
    if task < 0:
        return [-task, parts.favorite(-task).name, "Favorite"]
    return [task, parts.performance(task).name, parts.performance(task).fame]


def _card_table(figures: Figures) -> str:
    words = {"learn": "to learn", "bottom": "for the bottom half", "reroll": "for a reroll", "left": "not at all"}
    rows = [[word, format_percent(figures.cards[kind] / figures.cards.total(), 1)] for kind, word in words.items()]
    return f"What Jest cards are used for:\n\n{_markdown_table('| used | cards |', rows)}"


def _gift_use_table(figures: Figures) -> str:
    rows = [
        [word, f"{figures.owned[kind] / figures.games:.2f}", f"{figures.used[kind] / figures.games:.2f}"]
        for kind, word in GIFT_WORDS.items()
    ]
    return f"Gifts, a game:\n\n{_markdown_table('| Gift | owned at the end | used |', rows)}"


if __name__ == "__main__":
    main()
