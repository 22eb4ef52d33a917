"""Claims that need a helper's clicks, eyes and ears."""

from __future__ import annotations

from asyncio import sleep

import discord
from discord import ui

from live.alone import ClaimResult, is_refused
from live.stage import NotTried, TestChannel, describe_refusal, make_gallery, make_picture, make_view, picture_urls

AGAIN_TEXT = "Press again, please. If nothing happens, press it a second time."
TOO_LATE_SECONDS = 3.5  # seconds; Discord waits for three
LOOK_AWAY_SECONDS = 5.0  # seconds in which the helper looks at something else
UNKNOWN_INTERACTION_CODE, ALREADY_ANSWERED_CODE = 10062, 40060
DM_CLOSED_CODES = (50007, 50278)


async def check_click_answer_picture(stage: TestChannel) -> ClaimResult:
    """An edit in response to a click can bring a new picture."""
    click = await stage.wait_for_press("A test by Motley. Please press the button; all of this will be deleted.")
    await click.response.edit_message(
        view=make_view(make_gallery("answer.png")), attachments=[make_picture("answer.png")]
    )
    return _shows_picture(await click.original_response(), "answer.png")


async def check_deferred_picture(stage: TestChannel) -> ClaimResult:
    """After a deferral, the original response can be edited to show a new picture."""
    click = await stage.wait_for_press(AGAIN_TEXT)
    await click.response.defer()
    await click.edit_original_response(
        view=make_view(make_gallery("later.png")), attachments=[make_picture("later.png")]
    )
    return _shows_picture(await click.original_response(), "later.png")


async def check_thinking_picture(stage: TestChannel) -> ClaimResult:
    """A follow-up that replaces “thinking …” cannot bring a gallery's picture: 400. An edit can."""
    click = await stage.wait_for_press(AGAIN_TEXT)
    await click.response.defer(thinking=True, ephemeral=True)
    follow_up = click.followup.send(
        view=make_view(make_gallery("no.png")), files=[make_picture("no.png")], ephemeral=True
    )
    so, what = await is_refused(follow_up, 400)
    message = await click.edit_original_response(
        view=make_view(make_gallery("yes.png")), attachments=[make_picture("yes.png")]
    )
    shows, edit_result = _shows_picture(message, "yes.png")
    await click.delete_original_response()
    return so and shows, f"the follow-up: {what}; the edit: {edit_result}"


async def check_follow_up_picture(stage: TestChannel) -> ClaimResult:
    """After a deferred update, an ephemeral follow-up can bring a picture."""
    click = await stage.wait_for_press(AGAIN_TEXT)
    await click.response.defer()
    view, files = make_view(make_gallery("more.png")), [make_picture("more.png")]
    message = await click.followup.send(view=view, files=files, ephemeral=True, wait=True)
    found = _shows_picture(message, "more.png")
    await message.delete()
    return found


async def check_late_answer(stage: TestChannel) -> ClaimResult:
    """A first response after three seconds is refused: 10062."""
    click = await stage.wait_for_press("Press again, please. This time Discord will say that I did not respond.")
    await sleep(TOO_LATE_SECONDS)
    return await is_refused(click.response.defer(), 404, UNKNOWN_INTERACTION_CODE)


async def check_second_answer(stage: TestChannel) -> ClaimResult:
    """A second first response is refused: 40060."""
    click = await stage.wait_for_press(AGAIN_TEXT)
    await click.response.defer()
    return await is_refused(discord.InteractionResponse(click).defer(), 400, ALREADY_ANSWERED_CODE)


async def check_mention_notifies(stage: TestChannel) -> ClaimResult:
    """A mention in a text display notifies the person, if allowed."""
    person = await _required_person(stage)
    allowed = discord.AllowedMentions(users=[person])
    await stage.post(ui.TextDisplay(f"{person.mention}, this is a mention."), allowed_mentions=allowed)
    is_marked = await stage.ask_yes_no("I have just mentioned you. Is that message marked as a mention of you?")
    return is_marked, f"they say {'yes' if is_marked else 'no'}"


async def check_edit_notifies_nobody(stage: TestChannel) -> ClaimResult:
    """An edit that adds a mention notifies nobody."""
    person = await _required_person(stage)
    message = await stage.post(ui.TextDisplay("Please look away from Discord until I write again in five seconds."))
    await sleep(LOOK_AWAY_SECONDS)
    allowed = discord.AllowedMentions(users=[person])
    await message.edit(
        view=make_view(ui.TextDisplay(f"{person.mention}, this was added by an edit.")), allowed_mentions=allowed
    )
    was_notified = await stage.ask_yes_no("I have added a mention of you to a message. Did Discord notify you?")
    return not was_notified, f"they say {'yes' if was_notified else 'no'}"


async def check_dm_notifies(stage: TestChannel) -> ClaimResult:
    """A direct message notifies; one sent silently does not."""
    person = await _required_person(stage)
    loud = None
    for silent in (True, False):
        try:
            await stage.post(ui.TextDisplay("A test."), to=person, silent=silent)
        except discord.Forbidden as error:
            if error.code in DM_CLOSED_CODES:
                raise NotTried(f"their direct messages are closed ({describe_refusal(error)})") from None
            raise
        loud = await stage.ask_yes_no("I have just sent you a direct message. Did Discord notify you?")
        if loud is silent:
            return False, f"of {'the silent' if silent else 'the other'} one they say {'yes' if loud else 'no'}"
    return True, "of the silent one they say no, of the other yes"


CLAIMS = (
    check_click_answer_picture,
    check_deferred_picture,
    check_thinking_picture,
    check_follow_up_picture,
    check_late_answer,
    check_second_answer,
    check_mention_notifies,
    check_edit_notifies_nobody,
    check_dm_notifies,
)


async def _required_person(stage: TestChannel) -> discord.User | discord.Member:
    if stage.person is None:
        raise NotTried("nobody was there to help")
    return stage.person


def _shows_picture(message: discord.Message, name: str) -> ClaimResult:
    shows = picture_urls(message)
    return len(shows) == 1 and name in shows[0], f"it shows {len(shows)} picture{'' if len(shows) == 1 else 's'}"
