"""Records of sealed deals: forged ones are caught, by `check` and by the lines of docs/deals.md."""

from __future__ import annotations

import doctest
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engines import GAMES
from engines.hosting.records import deal, record
from engines.hosting.records.record import BadRecord, Record, format_record, parse_record
from engines.terminal import check_record
from tests.games import ROOT

PAGE = ROOT / "docs" / "deals.md"
(REAL,) = (ROOT / "docs" / "deals").glob("*.txt")
TEXT = REAL.read_text(encoding="utf-8")
HONEST = parse_record(TEXT)
DEAL_LINES = ("game", "match", "seal", "secret", "cuts", "seed")


def fault_of(text: str) -> str:
    """What is wrong with a record; empty if it is correct."""
    try:
        record.replay(parse_record(text), GAMES)
    except BadRecord as error:
        return str(error)
    return ""


def with_header(text: str, name: str, value: str) -> str:
    changed = re.sub(rf"^{name}: .*$", f"{name}: {value}", text, count=1, flags=re.MULTILINE)
    assert changed != text
    return changed


def forged_seed(source: Record) -> Record:
    """A record in which everything fits but that the seal is another."""
    assert source.deal is not None
    secret = "66" * 32
    seal = deal.seal_of(secret, source.deal.match, source.game)
    forged = deal.Deal(source.deal.match, seal, secret, source.deal.cuts)
    return replace(source, deal=forged, seed=deal.seed_of(secret, source.deal.cuts))


assert HONEST.deal is not None
D = HONEST.deal
OTHER = "ab" * 32
FORGED = {
    "another seed": with_header(TEXT, "seed", "0" * 32),
    "another secret": with_header(TEXT, "secret", OTHER),
    "another secret with its seed": with_header(
        with_header(TEXT, "secret", OTHER), "seed", deal.seed_of(OTHER, D.cuts)
    ),
    "another seal": with_header(TEXT, "seal", OTHER),
    "another secret with its seal": with_header(
        with_header(TEXT, "secret", OTHER), "seal", deal.seal_of(OTHER, D.match, "wizard")
    ),
    "another match": with_header(TEXT, "match", "aaaaaaaa"),
    "another game": with_header(TEXT, "game", "jest"),
    "a cut that nobody made": with_header(TEXT, "cuts", D.cuts.replace("1907", "1908")),
    "a cut with a zero before it": with_header(TEXT, "cuts", D.cuts.replace("1907", "01907")),
    "two cuts in each other's place": with_header(TEXT, "cuts", " ".join(reversed(D.cuts.split(" ")))),
    "a cut too few": with_header(TEXT, "cuts", D.cuts.rpartition(" ")[0]),
    "a cut too many": with_header(TEXT, "cuts", f"{D.cuts} 1"),
    "another result": TEXT.replace("points 40 40", "points 50 40"),
    "no secret": re.sub(r"^secret: .*\n", "", TEXT, flags=re.MULTILINE),
    "an older version": TEXT.replace("motley-record: 2", "motley-record: 1"),
    "a move that the rules refuse": TEXT.replace("1 B bid 1", "1 B bid 9"),
}


@pytest.mark.parametrize("fault", FORGED)
def test_a_forged_record_is_caught_with_a_sentence(fault: str) -> None:
    assert FORGED[fault] != TEXT
    lines = list[str]()
    assert fault_of(FORGED[fault])
    assert not check_record(FORGED[fault], GAMES, lines.append)
    assert lines[0].endswith(".")


@pytest.mark.parametrize("cuts", [D.cuts.rpartition(" ")[0], f"{D.cuts} 1"], ids=["too few", "too many"])
def test_a_seed_without_a_cut_for_each_seat_is_refused(cuts: str) -> None:
    changed = replace(D, cuts=cuts)
    with pytest.raises(deal.BadDeal, match=f"as many cuts as the {HONEST.seats} seats"):
        deal.check_deal(changed, HONEST.game, deal.seed_of(changed.secret, cuts), HONEST.seats)


def test_a_real_record_holds() -> None:
    lines = list[str]()
    assert fault_of(TEXT) == ""
    assert check_record(TEXT, GAMES, lines.append)
    assert f"The secret fits the seal {D.seal[:8]}…, and the seed follows from the secret and the cuts." in lines
    assert format_record(HONEST) == TEXT


def test_a_record_without_a_seal_says_so() -> None:
    lines = list[str]()
    plain = format_record(replace(HONEST, deal=None))
    assert plain.startswith("motley-record: 1\n")
    assert check_record(plain, GAMES, lines.append)
    assert lines[1].startswith("No seal: ")


def test_every_character_of_the_deal_counts() -> None:
    """Whatever is put in the place of a character of the deal, and whatever is left out, the record is refused."""
    for name in DEAL_LINES:
        (found,) = re.finditer(rf"^{name}: (.*)$", TEXT, re.MULTILINE)
        start, end = found.span(1)
        for place in range(start, end):
            for other in ("", *"0123456789abcdefz A"):
                if other != TEXT[place]:
                    text = TEXT[:place] + other + TEXT[place + 1 :]
                    assert fault_of(text), f"{name}: {text[start:end]}"


def test_a_changed_character_is_noticed_or_harmless() -> None:
    """A record that is not refused has the same deal and result, so that it still proves both. What differs is no part
    of the deal: names, authors, the spelling, and older rules under which these moves lead to the same result."""
    harmless = Counter[str]()
    for place, old in enumerate(TEXT):
        for other in ("", " ", "1" if old != "1" else "2", "B" if old != "B" else "C"):
            text = TEXT[:place] + other + TEXT[place + 1 :]
            if text == TEXT or fault_of(text):
                continue
            same = parse_record(text)
            assert (same.game, same.seats, same.seed, same.deal, same.result) == (
                HONEST.game, HONEST.seats, HONEST.seed, HONEST.deal, HONEST.result
            )  # fmt: skip
            meant, meant_before = record_content(same), record_content(HONEST)
            harmless[" ".join(part for part in meant if meant[part] != meant_before[part]) or "spelling"] += 1
    assert harmless["players"] > 20
    assert harmless.keys() <= {"players", "authors", "spelling", "rules"}, "no option and no move"


def record_content(source: Record) -> dict[str, Any]:
    """What a record says besides its deal and its result."""
    game = GAMES[source.game]
    return {
        "players": source.players,
        "rules": source.rules,
        "options": game.options_adapter.validate_json(source.options),
        "moves": [(each.seat, game.parse_move(each.notation)) for each in source.moves],
        "authors": [each.author for each in source.moves],
    }


# The lines of the page


def run_lines(path: Path) -> list[Any]:
    """What the lines of the page say of the record in a file: its seal, its cuts, and whether both proofs hold."""
    fences = re.findall(r"^```pycon\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    examples = doctest.DocTestParser().get_examples(fences[0])
    assert len(examples) <= 12
    names: dict[str, Any] = {}
    results = []
    for example in examples:
        source = example.source.replace(f"docs/deals/{REAL.name}", path.as_posix())
        if example.want:
            results.append(eval(source, names))  # noqa: S307  # our own page
        else:
            exec(source, names)  # noqa: S102
    return results


def test_the_lines_of_the_page_need_only_the_standard_library() -> None:
    assert "engines" not in PAGE.read_text(encoding="utf-8").split("```pycon\n")[1].split("```")[0]


def test_the_lines_of_the_page_verify_a_real_record(tmp_path: Path) -> None:
    path = tmp_path / "match.txt"
    path.write_text(TEXT, encoding="utf-8")
    assert run_lines(path) == [D.seal, D.cuts, True, True]


@pytest.mark.parametrize("fault", list(FORGED)[:12])
def test_the_lines_of_the_page_catch_forged_deals(tmp_path: Path, fault: str) -> None:
    path = tmp_path / "match.txt"
    path.write_text(FORGED[fault], encoding="utf-8")
    assert False in run_lines(path)


def test_a_deal_that_was_forged_as_a_whole_has_another_seal_than_the_one_that_was_shown(tmp_path: Path) -> None:
    path = tmp_path / "match.txt"
    path.write_text(format_record(forged_seed(HONEST)), encoding="utf-8")
    seal, *rest = run_lines(path)
    assert rest[1:] == [True, True]
    assert seal != D.seal, "which is what players compare"
