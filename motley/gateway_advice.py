"""What the owner can do if Discord ends the connection for good, by the gateway's close code."""

from __future__ import annotations

TOKEN_RESET = (
    "The token was reset: Discord does not accept it any more. Copy the new one from the developer portal into "
    "DISCORD_TOKEN, and start the bot again. All matches are saved."
)
OUR_FAULT = "That is a fault of this version of Motley. Update it, or report this line."
TRY_AGAIN = "Start the bot again. If that does not help, look at https://discordstatus.com."
AUTHENTICATION_FAILED = 4004  # the gateway's code for a token that it does not accept
CLOSE_ADVICE = {
    4000: TRY_AGAIN,
    4001: OUR_FAULT,  # unknown opcode
    4002: OUR_FAULT,  # decode error
    4003: OUR_FAULT,  # not authenticated
    AUTHENTICATION_FAILED: TOKEN_RESET,
    4005: OUR_FAULT,  # already authenticated
    4006: TRY_AGAIN,  # session no longer valid, in older versions of the gateway
    4007: TRY_AGAIN,  # invalid sequence number
    4008: "The bot sent more to the gateway than Discord allows. Wait a minute, and start it again.",
    4009: TRY_AGAIN,  # session timed out
    4010: "Discord does not accept that number of shards. Set MOTLEY_SHARDS=auto to use the number that Discord "
    "recommends.",
    4011: "The bot is in too many servers for one session. Set MOTLEY_SHARDS=auto.",
    4012: "This version of Motley uses an API that Discord no longer has. Update it.",
    4013: OUR_FAULT,  # invalid intents
    4014: "Discord does not grant this application an intent that the bot asks for. Motley needs none of the "
    "privileged ones: check the page *Bot* in the developer portal, and that DISCORD_TOKEN is this bot's token.",
}
"""Discord's close codes. discord.py reconnects by itself after most of them; the others end the bot."""
OTHER_ADVICE = "Check the application's page in the developer portal, and try again."
