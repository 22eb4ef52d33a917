"""`make components`: the tables and numbers of docs/rules/jesters-components.md, whose words stand only there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from engines.jesters import effects
from engines.jesters.components import catalogue
from engines.jesters.components.component_types import CARD_PRICES
from engines.jesters.requirements.evaluation import Requirement, is_met, success_chance
from tests.engines.jesters import trials
from tests.engines.jesters.games import SEATS, Attempts, Figures, load_figures, record_all, sum_figures

PAGE_FILE = Path(__file__).resolve().parents[3] / "docs" / "rules" / "jesters-components.md"
NAMES = (*catalogue.COLOURS, "any")
GIFT_WORDS = {
    "Opposite": "opposite side",
    "Recolour": "another colour",
    "FameForSymbol": "Fame for a symbol",
    "FameForColour": "Fame for a colour",
    "Extra": "extra Technique",
    "Reroll": "reroll",
}
COLUMNS = "no. | name | asks for | dice | one fewer | chance | one more"
Tables = dict[str, Sequence[Iterable[object]]]  # the rows, by what stands above them


def main() -> None:
    record_all()
    PAGE_FILE.write_text(full_page(), encoding="utf-8")


def full_page() -> str:
    """The page with its tables and numbers; the games are those on record, all words those of the page."""
    figures = sum_figures(load_figures())
    text = _fill_numbers(PAGE_FILE.read_text(encoding="utf-8"), figures)
    for head, rows in {**_component_tables(), **_play_tables(figures), **_trial_table()}.items():
        lines = [
            f"| {' | '.join(map(str, row))} |\n" for row in (head.split(" | "), ["---"] * len(head.split(" | ")), *rows)
        ]
        text, found = re.subn(rf"^{re.escape(lines[0])}(\|.*\n)+", "".join(lines), text, flags=re.MULTILINE)
        assert found == 1, head
    return text


def _fill_numbers(text: str, figures: Figures) -> str:
    """The page with the numbers in its sentences; `#` stands for one."""
    tasks = catalogue.all_components().performances
    rates = [figures.done[task] / number for task, number in figures.tried.items()]
    counts = [sum(rate > 0.9 for rate in rates), sum(rate < 0.75 for rate in rates)]
    succeeded = f"{100 * figures.done.total() / figures.tried.total():.1f}"
    rounds = [f"{figures.by_round[number] / figures.games / SEATS:.1f}" for number in sorted(figures.by_round)]
    correlation = rank_correlation([task.fame for task in tasks], [miss_chance(task) for task in tasks])
    sentences: dict[str, Sequence[object]] = {
        "rank correlation is #.": [f"{correlation:.2f}"],
        "together come to # to # on every card": [CARD_PRICES[0], CARD_PRICES[-1]],
        "Counted in # games": [f"{figures.games:,}"],
        "A seat completes # Performances": [f"{figures.mean_completed:.1f}"],
        "third round a seat makes #, #, # attempts": rounds,
        "#% of all attempts succeed. For # of the # Perf": [succeeded, len(rates) - sum(counts), len(rates)],
        "for # it is more, for # less": counts,
    }
    for sentence, numbers in sentences.items():
        words = re.escape(sentence).replace(r"\ ", r"\s").replace(r"\#", r"([\d.,]*\d)")
        (found,) = re.finditer(words, text)
        for group, number in reversed(list(enumerate(numbers, 1))):
            text = f"{text[: found.start(group)]}{number}{text[found.end(group) :]}"
    return text


def miss_chance(task: catalogue.Task) -> Fraction:
    return 1 - success_chance(task.requirement, task.natural_colours)


def rank_correlation(one: Sequence[float | Fraction], other: Sequence[float | Fraction]) -> float:
    """Spearman's, with the mean rank for equal values."""
    ranks = [[sum(a < b for a in values) + sum(a == b for a in values) / 2 for b in values] for values in (one, other)]
    (first, second), mean = ranks, len(one) / 2
    products = [(a - mean) * (b - mean) for a, b in zip(first, second, strict=True)]
    squares = [sum((a - mean) ** 2 for a in values) for values in ranks]
    return float(sum(products) / (squares[0] * squares[1]) ** 0.5)


def format_percent(share: Fraction | float, digits: int = 0) -> str:
    return f"{100 * float(share):.{digits}f}%"


# --- lists


def _component_tables() -> Tables:
    every = catalogue.all_components()
    return {
        f"{COLUMNS} | Fame | symbols": [
            [*_task_columns(t), t.fame, _symbol_names(t.symbols)] for t in every.performances
        ],
        f"{COLUMNS} | symbols": [[*_task_columns(task), _symbol_names(task.symbols)] for task in every.favorites],
        "bottom half | price | misses mended": [[*row, format_percent(share)] for *row, share in bottom_strengths()],
        "no. | top half | price | bottom half | price": [
            [card.id, _top_colours(card), card.top_price, bottom_words(card.bottom), card.bottom.price]
            for card in every.jest_cards
        ],
        "no. | Gift | symbol": [
            [each.id, _effect_text(each.effect), catalogue.SYMBOLS[each.symbol]] for each in every.gifts
        ],
    }


def _task_columns(task: catalogue.Task) -> list[object]:
    numbers = [task.model_copy(update={"dice": dice}) for dice in (task.dice - 1, task.dice, task.dice + 1)]
    fewer, chance, more = (format_percent(1 - miss_chance(each), 1) for each in numbers)
    fewer = fewer if task.dice > max(task.requirement.form.dice_needed, 2) else "—"
    return [task.id, task.name, f"`{task.requirement}`", task.dice, fewer, chance, more]


def _symbol_names(symbols: Iterable[int]) -> str:
    return ", ".join(catalogue.SYMBOLS[symbol] for symbol in symbols)


def _top_colours(card: catalogue.JestCard) -> str:
    return ", ".join(NAMES[colour] for colour in card.top)


def bottom_words(bottom: catalogue.Bottom) -> str:
    return f"{'turn' if isinstance(bottom, catalogue.TurnOver) else f'±{bottom.amount}'} {NAMES[bottom.colour]}"


def bottom_strengths() -> list[tuple[str, int, Fraction]]:
    """By kind of bottom half: words, price, and how many of the misses it mends. By price."""
    kinds = {}
    for card in catalogue.all_components().jest_cards:
        words = bottom_words(card.bottom)
        plain = words if card.bottom.colour == catalogue.ANY else f"{words.split()[0]} a colour"
        kinds[plain, card.bottom.price] = card
    tasks = [task for task in catalogue.all_components().performances if task.dice <= 4]
    found = [
        (words, price, Fraction(sum(mended_share(task, card) for task in tasks)) / len(tasks))
        for (words, price), card in kinds.items()
    ]
    return sorted(found, key=lambda kind: kind[1])


def mended_share(task: catalogue.Performance, card: catalogue.JestCard) -> Fraction:
    """How many of a Performance's misses its bottom half mends; if that names a colour, over all four."""
    mended, wanted = Fraction(0), card.bottom.colour
    misses = _misses(task.requirement, task.natural_colours)
    for faces, mends in misses:
        dice = zip(task.natural_colours, faces, mends, strict=True)
        found = {colour for colour, face, to in dice if to & {*effects.reachable_faces(card.id, wanted, face)}}
        mended += bool(found) if wanted == catalogue.ANY else Fraction(len(found), len(catalogue.COLOURS))
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


def _effect_text(effect: catalogue.Effect) -> str:
    match effect:
        case catalogue.Opposite(colour):
            return f"turn a {catalogue.COLOURS[colour]} die to its opposite side"
        case catalogue.Recolour(colour):
            return f"change any of the rolled dice to {catalogue.COLOURS[colour]}; 1 Fame for completing with one"
        case catalogue.FameForSymbol(symbol):
            return f"2 Fame for a completed Performance of {catalogue.SYMBOLS[symbol]}"
        case catalogue.FameForColour(colour):
            return f"2 Fame for completing what asks for {catalogue.COLOURS[colour]}"
        case catalogue.Extra():
            return "one extra Technique from the middle, rolled at once"
        case catalogue.Reroll():
            return "roll all dice again"


# --- play


def _play_tables(figures: Figures) -> Tables:
    games, seats = figures.games, figures.games * SEATS
    turns = {"Learn": "learn", "Perform": "perform", "Pass": "pass"}
    cards = {"learn": "to learn", "bottom": "for the bottom half", "reroll": "for a reroll", "left": "not at all"}
    wins = {"seat": figures.wins, "turn order": figures.turns}
    fame = {**figures.fame, "in all": figures.fame.total()}
    by_fame = sorted(figures.by_fame.items())
    tasks = sorted(figures.tried, key=lambda task: (task < 0, abs(task)))  # Favorites last
    uses = [[word, figures.owned[kind] / games, figures.used[kind] / games] for kind, word in GIFT_WORDS.items()]
    return {
        "by | first | second | third | fourth": [
            [by, *(format_percent(won / games, 1) for won in row)] for by, row in wins.items()
        ],
        "Performances | seats": _share_rows({n: n for n in sorted(figures.completed)}, figures.completed),
        "failures | seats": _share_rows({n: n for n in sorted(figures.failures)}, figures.failures),
        "Fame of | Fame": [[kind, f"{total / seats:.1f}"] for kind, total in fame.items()],
        "turn | share": _share_rows(turns, figures.actions),
        "Fame | a game | dice | at once | met | bottom halves | rerolls | Gifts | brings": [
            _attempt_row(fame or "Favorite", attempts, games) for fame, attempts in by_fame
        ],
        "no. | name | Fame | a game | met": [_task_row(figures, task) for task in tasks],
        "used | cards": _share_rows(cards, figures.cards),
        "Gift | owned at the end | used": [[word, f"{owned:.2f}", f"{used:.2f}"] for word, owned, used in uses],
    }


def _share_rows(words: Mapping[Any, object], counts: Counter[Any]) -> list[list[object]]:
    """What share each has of all that was counted, by its word."""
    return [[word, format_percent(counts[kind] / counts.total(), 1)] for kind, word in words.items()]


def _attempt_row(fame: int | str, attempts: Attempts, games: int) -> list[object]:
    number = attempts.number
    shares = [format_percent(share / number) for share in (attempts.at_once, attempts.met)]
    means = [f"{mean / number:.2f}" for mean in (attempts.bottoms, attempts.rerolls, attempts.gifts)]
    brings = f"{fame * attempts.met / number:.1f}" if isinstance(fame, int) else "a Gift"
    return [fame, f"{number / games:.1f}", f"{attempts.dice / number:.1f}", *shares, *means, brings]


def _task_row(figures: Figures, number: int) -> list[object]:
    """How often a Performance or Favorite is tried, and how often an attempt at it succeeds."""
    task = catalogue.favorite(-number) if number < 0 else catalogue.performance(number)
    fame, attempts = "Favorite" if isinstance(task, catalogue.Favorite) else task.fame, figures.tried[number]
    return [
        task.id,
        task.name,
        fame,
        f"{attempts / figures.games:.1f}",
        format_percent(figures.done[number] / attempts),
    ]


def _trial_table() -> Tables:
    rows = []
    for trial, name in {**GIFT_WORDS, trials.HEEDLESS: "ignores failure"}.items():
        parts = trials.load_parts()[trial]
        success_share = sum(part.met for part in parts) / sum(part.attempts for part in parts)
        games = trials.GAMES_PER_PART * len(parts)
        rows.append([name, f"{games:,}", format_percent(trials.win_share(parts), 1), format_percent(success_share, 1)])
    return {"seat | games | won | of its attempts met": rows}


if __name__ == "__main__":
    main()
