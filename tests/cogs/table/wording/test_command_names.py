"""Command groups that the owner renamed, and texts that mention commands."""

from __future__ import annotations

import pytest

from cogs.table.wording.command_names import CommandNames

GAMES = ("wizard", "jest", "jesters")


def test_texts_mention_a_renamed_group_by_its_new_name_and_nothing_else() -> None:
    names = CommandNames.parse(" wizard = oracle, motley=cards ,jest=jests", GAMES)
    assert [names.name_of(group) for group in ("wizard", "jest", "jesters", "motley", "admin")] == [
        *("oracle", "jests", "jesters", "cards", "admin")
    ]
    assert names.in_text(
        "`/motley help`, (/wizard new), /jest. /jesters /motleys a/motley /wizard-x https://x/motley"
    ) == ("`/cards help`, (/oracle new), /jests. /jesters /motleys a/motley /wizard-x https://x/motley")
    assert names.in_text("Wizard") == "Wizard", "the game keeps its title"
    assert CommandNames.parse("", GAMES).in_text("/motley help") == "/motley help"


def test_two_groups_may_trade_their_names() -> None:
    names = CommandNames.parse("wizard=jest,jest=wizard", GAMES)
    assert names.in_text("/wizard new and /jest new") == "/jest new and /wizard new"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("poker=x", "names no command group"),
        ("wizard", "no name for a command"),
        ("wizard=", "no name for a command"),
        ("wizard=Oracle", "no name for a command"),
        ("wizard=" + "x" * 33, "no name for a command"),
        ("wizard=a b", "no name for a command"),
        ("wizard=jest", "the same name"),
        ("wizard=x, jest=x", "the same name"),
    ],
)
def test_a_name_that_discord_or_another_group_forbids_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        CommandNames.parse(text, GAMES)
