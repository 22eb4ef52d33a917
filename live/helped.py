"""What needs a person: clicks, and eyes and ears."""

from __future__ import annotations

from asyncio import sleep

import discord
from discord import ui

from live.alone import Found, refused
from live.stage import NotTried, Stage, gallery, picture, pictures, refusal, shown

AGAIN = "Again, please; and once more if nothing happens."
TOO_LATE = 3.5  # seconds; Discord waits for three
AWAY = 5.0  # seconds for which somebody looks at something else
UNKNOWN, ANSWERED = 10062, 40060
CLOSED = (50007, 50278)


async def a_click_answered_with_a_picture(stage: Stage) -> Found:
    """A click is answered by an edit of its message that brings a new picture."""
    click = await stage.pressed("A test of Motley's. Press, please; all of this goes again.")
    await click.response.edit_message(view=shown(gallery("answer.png")), attachments=[picture("answer.png")])
    return _shows(await click.original_response(), "answer.png")


async def a_click_deferred_then_a_picture(stage: Stage) -> Found:
    """After a deferral the original response is edited to show a new picture."""
    click = await stage.pressed(AGAIN)
    await click.response.defer()
    await click.edit_original_response(view=shown(gallery("later.png")), attachments=[picture("later.png")])
    return _shows(await click.original_response(), "later.png")


async def a_picture_in_place_of_thinking(stage: Stage) -> Found:
    """A follow-up that takes the place of “thinking …” cannot bring a gallery's picture: 400. An edit can."""
    click = await stage.pressed(AGAIN)
    await click.response.defer(thinking=True, ephemeral=True)
    follow_up = click.followup.send(view=shown(gallery("no.png")), files=[picture("no.png")], ephemeral=True)
    so, what = await refused(follow_up, 400)
    message = await click.edit_original_response(view=shown(gallery("yes.png")), attachments=[picture("yes.png")])
    shows, seen = _shows(message, "yes.png")
    await click.delete_original_response()
    return so and shows, f"the follow-up: {what}; the edit: {seen}"


async def a_picture_in_a_message_more(stage: Stage) -> Found:
    """After a deferred update a follow-up for the asker alone may bring a picture."""
    click = await stage.pressed(AGAIN)
    await click.response.defer()
    view, files = shown(gallery("more.png")), [picture("more.png")]
    message = await click.followup.send(view=view, files=files, ephemeral=True, wait=True)
    found = _shows(message, "more.png")
    await message.delete()
    return found


async def an_answer_too_late(stage: Stage) -> Found:
    """After three seconds a first answer is refused: 10062."""
    click = await stage.pressed("Again, please; this time Discord will say that I did not answer.")
    await sleep(TOO_LATE)
    return await refused(click.response.defer(), 404, UNKNOWN)


async def a_second_answer(stage: Stage) -> Found:
    """A second first answer is refused: 40060."""
    click = await stage.pressed(AGAIN)
    await click.response.defer()
    return await refused(discord.InteractionResponse(click).defer(), 400, ANSWERED)


async def a_mention_calls(stage: Stage) -> Found:
    """A mention in a text display calls whom it names, where it is allowed to."""
    person = await _person(stage)
    allowed = discord.AllowedMentions(users=[person])
    await stage.post(ui.TextDisplay(f"{person.mention}, this is a call."), allowed_mentions=allowed)
    said = await stage.told("I have just mentioned you. Is that message marked as a mention of you?")
    return said, f"they say {'yes' if said else 'no'}"


async def an_edit_calls_nobody(stage: Stage) -> Found:
    """An edit that brings a mention calls nobody."""
    person = await _person(stage)
    message = await stage.post(ui.TextDisplay("Look away from Discord, please, until I say more in five seconds."))
    await sleep(AWAY)
    allowed = discord.AllowedMentions(users=[person])
    await message.edit(view=shown(ui.TextDisplay(f"{person.mention}, this was edited in.")), allowed_mentions=allowed)
    said = await stage.told("I have edited a mention of you into a message. Did Discord notify you of it?")
    return not said, f"they say {'yes' if said else 'no'}"


async def a_direct_message_calls(stage: Stage) -> Found:
    """A direct message notifies, one sent silently does not."""
    person = await _person(stage)
    loud = None
    for silent in (True, False):
        try:
            await stage.post(ui.TextDisplay("A test."), to=person, silent=silent)
        except discord.Forbidden as error:
            if error.code in CLOSED:
                raise NotTried(f"their direct messages are closed ({refusal(error)})") from None
            raise
        loud = await stage.told("I have just sent you a direct message. Did Discord notify you of it?")
        if loud is silent:
            return False, f"of {'the silent' if silent else 'the other'} one they say {'yes' if loud else 'no'}"
    return True, "of the silent one they say no, of the other yes"


CLAIMS = (
    a_click_answered_with_a_picture,
    a_click_deferred_then_a_picture,
    a_picture_in_place_of_thinking,
    a_picture_in_a_message_more,
    an_answer_too_late,
    a_second_answer,
    a_mention_calls,
    an_edit_calls_nobody,
    a_direct_message_calls,
)


async def _person(stage: Stage) -> discord.User | discord.Member:
    if stage.person is None:
        raise NotTried("nobody was there to help")
    return stage.person


def _shows(message: discord.Message, name: str) -> Found:
    shows = pictures(message)
    return len(shows) == 1 and name in shows[0], f"it shows {len(shows)} picture{'' if len(shows) == 1 else 's'}"
