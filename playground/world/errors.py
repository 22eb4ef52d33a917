"""Discord's errors that the playground uses, each with its HTTP status and code."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any


class DiscordError(Enum):
    """Status, error code and Discord's sentence."""

    NO_ROUTE = (404, 0, "404: Not Found")
    RATE_LIMITED = (429, 0, "You are being rate limited.")
    BLOCKED = (
        429,
        0,
        "You are being blocked from accessing our API temporarily due to exceeding our rate limits frequently. Please "
        "read our docs at https://discord.com/developers/docs/topics/rate-limits to prevent this moving forward.",
    )
    SERVER_ERROR = (500, 0, "500: Internal Server Error")
    UNKNOWN_CHANNEL = (404, 10003, "Unknown Channel")
    UNKNOWN_GUILD = (404, 10004, "Unknown Guild")
    UNKNOWN_MEMBER = (404, 10007, "Unknown Member")
    UNKNOWN_MESSAGE = (404, 10008, "Unknown Message")
    UNKNOWN_USER = (404, 10013, "Unknown User")
    UNKNOWN_EMOJI = (404, 10014, "Unknown Emoji")
    UNKNOWN_WEBHOOK = (404, 10015, "Unknown Webhook")
    UNKNOWN_INTERACTION = (404, 10062, "Unknown interaction")
    UNKNOWN_COMMAND = (404, 10063, "Unknown application command")
    OLD_MESSAGE_EDITS = (
        429,
        30046,
        "Maximum number of edits to messages older than 1 hour reached. Try again later",
    )
    QUARANTINED = (403, 20026, "Your bot has been flagged by our anti-spam system for abusive behavior.")
    TOO_MANY_EMOJI = (400, 30008, "Maximum number of emojis reached (2000)")
    UNAUTHORIZED = (401, 40001, "Unauthorized. Provide a valid token and try again")
    DMS_TOO_FAST = (403, 40003, "You are opening direct messages too fast")
    ALREADY_ACKNOWLEDGED = (400, 40060, "Interaction has already been acknowledged.")
    MISSING_ACCESS = (403, 50001, "Missing Access")
    WRONG_CHANNEL_TYPE = (400, 50024, "Cannot execute action on this channel type")
    NOT_THE_AUTHOR = (403, 50005, "Cannot edit a message authored by another user")
    DM_CLOSED = (403, 50007, "Cannot send messages to this user")
    MISSING_PERMISSIONS = (403, 50013, "Missing Permissions")
    INVALID_WEBHOOK_TOKEN = (401, 50027, "Invalid Webhook Token")
    INVALID_RECIPIENT = (400, 50033, "Invalid Recipient(s)")
    INVALID_FORM = (400, 50035, "Invalid Form Body")
    THREAD_ARCHIVED = (400, 50083, "Thread is archived")
    THREAD_CLOSED = (403, 50083, "Thread is archived")  # Discord says this of a locked thread
    INVALID_JSON = (400, 50109, "The request body contains invalid JSON.")
    ENTRY_POINT_LEFT_OUT = (
        400,
        50240,
        "You cannot remove this app's Entry Point command in a bulk update operation. "
        "Please include the Entry Point command in your update request or delete it separately.",
    )
    NO_MUTUAL_GUILD = (403, 50278, "Cannot send messages to this user due to having no mutual guilds")
    THREAD_EXISTS = (400, 160004, "A thread has already been created for this message")
    THREAD_LOCKED = (400, 160005, "Thread is locked")
    TOO_MANY_THREADS = (400, 160006, "Maximum number of active threads reached")

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.value[0]

    @property
    def code(self) -> int:
        """Discord's JSON error code."""
        return self.value[1]

    @property
    def sentence(self) -> str:
        """Discord's message."""
        return self.value[2]


class ApiRefusal(Exception):
    """A request is refused as Discord would refuse it."""

    def __init__(
        self,
        error: DiscordError,
        *,
        tree: Mapping[str, Any] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(error.sentence)
        self.status = error.status
        self.body: dict[str, Any] = {"message": error.sentence, "code": error.code}
        if tree is not None:
            self.body["errors"] = dict(tree)
        if retry_after is not None:
            self.body |= {"retry_after": retry_after, "global": False}


def refuse_unless(condition: bool, error: DiscordError) -> None:
    """Refuse with `error` unless the condition holds."""
    if not condition:
        raise ApiRefusal(error)
