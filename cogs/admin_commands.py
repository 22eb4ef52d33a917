"""`/admin`: for those who may manage the server, over its own matches only. Shows nothing hidden."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import discord
from discord import app_commands
from discord.ext import commands

from cogs.screens.truncation import units
from cogs.screens.words import listed
from cogs.table.actions import match_history
from cogs.table.actions.manager_rights import managed
from cogs.table.actions.table_actions import Desk
from cogs.table.commands.component_router import Controls
from cogs.table.commands.game_commands import answered, match_label, narrowed, offering
from cogs.table.commands.move_commands import Choices
from cogs.table.pages import custom_ids
from cogs.table.pages.custom_ids import Control
from cogs.table.pages.page import GREY, LONGEST_TEXT, RED, Page, Press, Text, rows, texts
from cogs.table.scheduling.computer_turns import INSTEAD
from cogs.table.transport.interaction_response import Answer
from cogs.table.wording.player_names import clean, shown
from engines.hosting.match import Look, Refused, standing
from engines.kit.seats import letter, seat_of
from engines.store.match_store import LIVE, Deed, Info, Seat, Status, StoreFailure
from players import levels

RESETTABLE = LIVE | {Status.ASIDE}
MOST = 20
OUTSIDE = "Use this in the server whose matches you look after."


@app_commands.default_permissions(manage_guild=True)
@app_commands.allowed_contexts(guilds=True, dms=False)
class AdminCog(commands.GroupCog, group_name="admin", group_description="Look after this server's matches"):
    """The right to manage the server is checked in code: Discord's own default can be changed, and misses clicks."""

    def __init__(self, desk: Desk, controls: Controls) -> None:
        super().__init__()
        self.desk = desk
        controls.admin = self.confirmed

    @app_commands.command(description="This server's running matches")
    @answered
    async def matches(self, answer: Answer) -> None:
        """`matches`: a line each."""
        guild = managed(answer.interaction, OUTSIDE)
        found = await self.desk.matches.find(statuses=RESETTABLE, guild=guild)
        lines = [self._line(info) for info in found[:MOST]]
        more = f"-# And {len(found) - MOST} more." if len(found) > MOST else ""
        await answer.page(Page(texts((f"## Matches here: {len(found)}", "\n".join(lines), more))))

    @app_commands.command(description="How one match stands; nothing hidden is shown")
    @app_commands.describe(match="Which match")
    @answered
    async def show(self, answer: Answer, match: str) -> None:
        """`show`: seats, state, whom it waits for, what ails it, and what was done."""
        look = await self._of_server(answer.interaction, match)
        deeds = await self.desk.matches.history(look.info.id)
        setting = await self.desk.showing.setting(look)
        facts = _facts(look, deeds, setting.trouble, setting.table_url)
        await answer.page(
            Page(texts((*facts, match_history.told(look.info, deeds, LONGEST_TEXT - sum(map(units, facts))))))
        )

    @app_commands.command(description="End a match at once, without a result")
    @app_commands.describe(match="Which match")
    @answered
    async def reset(self, answer: Answer, match: str) -> None:
        """`reset`: asks first."""
        look = await self._of_server(answer.interaction, match)
        if look.info.status not in RESETTABLE:
            raise Refused(standing(look.info), names=True)
        said = f"End this match for good, without a result?\n{self._line(look.info)}"
        presses = (
            Press("Reset the match", custom_ids.admin(look.info.id, "reset"), "danger"),
            Press("Leave it as it is", custom_ids.admin(look.info.id, "cancel")),
        )
        await answer.page(Page((Text(said), *rows(presses)), RED))

    @app_commands.command(name="remove-player", description="Take somebody out of a match; it is paused then")
    @app_commands.describe(match="Which match", player="Whom to take out")
    @answered
    async def remove_player(self, answer: Answer, match: str, player: discord.User) -> None:
        """`remove-player`: the seat may be taken by somebody else."""
        look = await self._of_server(answer.interaction, match)
        by = answer.interaction.user.id
        info = await self.desk.matches.remove(look.info.id, player.id, by, click=answer.click)
        paused = "" if info.status is Status.LOBBY else " The match is paused until somebody takes the seat."
        name = shown(clean(player.display_name))
        await answer.say(f"{name} is out of match `{info.id}`.{paused}")
        await self.desk.announce(info, f"An admin has removed {name} from the match.", answer.click)

    @app_commands.command(name="give-seat", description="Have the computer play at a seat, until its owner is back")
    @app_commands.describe(match="Which match", seat="Whose seat")
    @answered
    async def give_seat(self, answer: Answer, match: str, seat: str) -> None:
        """`give-seat`: also one that nobody holds, so that a match goes on."""
        look = await self._of_server(answer.interaction, match)
        if INSTEAD not in levels(look.game):
            raise Refused(f"No computer plays {look.game.title}.")
        number = _number(seat)
        by = answer.interaction.user.id
        info = await self.desk.matches.give_seat(look.info.id, number, INSTEAD, by, click=answer.click)
        name = shown(info.seats[number].name)
        await answer.say(f"The computer plays in {name}'s seat of match `{info.id}`.")
        more = f" {name} may take it back by pressing “I am back”." if info.seats[number].away else ""
        await self.desk.announce(info, f"An admin has the computer play in {name}'s seat.{more}", answer.click)

    @app_commands.command(name="give-back", description="Give a seat that the computer keeps back to its owner")
    @app_commands.describe(match="Which match", seat="Whose seat")
    @answered
    async def give_back(self, answer: Answer, match: str, seat: str) -> None:
        """`give-back`: as if they had pressed “I am back”."""
        look = await self._of_server(answer.interaction, match)
        number = _number(seat)
        by = answer.interaction.user.id
        info = await self.desk.matches.give_back(look.info.id, number, by, click=answer.click)
        name = shown(info.seats[number].name)
        await answer.say(f"{name} has their seat of match `{info.id}` back.")
        await self.desk.announce(info, f"An admin has given {name}'s seat back to them.", answer.click)

    @give_seat.autocomplete("seat")
    async def _given(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self._seats(interaction, current, lambda seat: not seat.level)

    @give_back.autocomplete("seat")
    async def _kept(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self._seats(interaction, current, lambda seat: seat.away)

    async def _seats(self, interaction: discord.Interaction, current: str, wanted: Callable[[Seat], bool]) -> Choices:
        """Those seats of the match that was named, by the names of who holds them."""
        try:
            info = (await self._of_server(interaction, str(interaction.namespace.match or ""))).info
        except (Refused, StoreFailure):
            return []
        offers = [(seat.name, letter(number)) for number, seat in enumerate(info.seats) if wanted(seat)]
        return narrowed(offers if info.status in (Status.RUNNING, Status.PAUSED) else [], current)

    @show.autocomplete("match")
    @reset.autocomplete("match")
    @remove_player.autocomplete("match")
    @give_seat.autocomplete("match")
    @give_back.autocomplete("match")
    @offering
    async def _match(self, interaction: discord.Interaction, current: str) -> Choices:
        if not interaction.permissions.manage_guild or interaction.guild_id is None:
            return []
        found = await self.desk.matches.find(statuses=RESETTABLE, guild=interaction.guild_id)
        return narrowed([(await match_label(self.desk, info), info.id) for info in found], current)

    async def confirmed(self, answer: Answer, control: Control) -> None:
        """The confirmation of a reset was clicked, or what stands beside it."""
        look = await self._of_server(answer.interaction, control.match)
        if control.rest.startswith("cancel:"):
            await _put_away(answer, f"Match `{look.info.id}` is left as it is.")
            return
        if not control.rest.startswith("reset:"):
            raise Refused("This control is of another version of me. Use `/admin reset` to end a match.")
        info = await self.desk.matches.reset(look.info.id, answer.interaction.user.id, click=answer.click)
        await _put_away(answer, f"Match `{info.id}` is reset.")
        await self._announce(info, answer.interaction.user, answer.click)

    async def _announce(self, info: Info, admin: discord.abc.User, click: int) -> None:
        """Say in the channel that a match was reset, and by whom."""
        names = listed([shown(seat.name) for seat in info.seats if not seat.gone])
        name = shown(clean(admin.display_name))
        text = f"{name} has reset the match of {self.desk.matches.title(info.game)} with {names} (`{info.id}`)."
        await self.desk.keeper.announce(info.place, text, nonce=f"{click}")
        if info.place.thread:
            await self.desk.keeper.announce(replace(info.place, thread=0), text, nonce=f"{click} too")

    def _line(self, info: Info) -> str:
        names = listed([shown(seat.name) for seat in info.seats if not seat.gone]) or "nobody"
        return f"- `{info.id}` {self.desk.matches.title(info.game)}, {info.status}: {names}"

    async def _of_server(self, interaction: discord.Interaction, match: str) -> Look:
        """A match of the asker's own server."""
        guild = managed(interaction, OUTSIDE)
        look = await self.desk.matches.fresh(match.strip().lower()[:8])
        if look.info.place.guild != guild:
            raise Refused("There is no such match on this server.")
        return look


def _number(seat: str) -> int:
    """The seat that was picked, by its letter."""
    try:
        return seat_of(seat.strip().upper())
    except ValueError:
        raise Refused("There is no such seat at this table. Pick one of those that are offered.") from None


async def _put_away(answer: Answer, said: str) -> None:
    """Say so in place of a question; where others see the message that was clicked, in one for the asker alone."""
    message = answer.interaction.message
    if message is not None and message.flags.ephemeral:
        await answer.update(Page((Text(said),), GREY))
    else:
        await answer.say(said)


def _how(seat: Seat) -> str:
    """Who plays at a seat, where it is not the one whose name it has."""
    said = [seat.gone, "away" if seat.away else "", f"the computer plays, {seat.level}" if seat.level else ""]
    told = ", ".join(filter(None, said))
    return f" ({told})" if told else ""


def _facts(look: Look, deeds: Sequence[Deed], trouble: str, url: str) -> list[str]:
    """A match in words for an admin: public things only, which the time of its very last change may not be."""
    info = look.info
    seats = [f"- {shown(seat.name)}{_how(seat)}" for seat in info.seats]
    due = [shown(info.seats[seat].name) for seat in look.due()]
    reason = f"\nReason: {shown(info.reason)}" if info.reason else ""
    return [
        f"## {look.game.title}, match `{info.id}`\n{info.status}{reason}",
        "\n".join(seats),
        f"Opened <t:{info.created}:R>, last changed <t:{deeds[-1].at if deeds else info.created}:R>.",
        f"Waiting for {listed(due)}." if due else "",
        f"⚠ {trouble}" if trouble else "",
        f"[The table]({url})" if url else "",
    ]
