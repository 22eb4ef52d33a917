"""One person's share: how much of what they request is computed at a time, and how much they may post."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Hashable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from engines.hosting.match import RequestRefused
from worker_pool.fair_queue import FairQueue, Person, Rank

DRAWING_THREADS = 2
LONG_REQUESTS = 2  # requests that read many rows, such as personal data; each person has one at a time
TYPED_REQUESTS = 4  # lists of choices while people type; each person has one at a time
MOST_IN_PROGRESS = 30  # requests of one person; the limits of all features allow eleven long ones
POSTS_AT_ONCE = 15  # messages for everybody that a person may cause one after the other
SECONDS_PER_POST = 60.0  # seconds after which one more is allowed
TOO_MANY_REQUESTS = "I am still busy with many other requests of yours. Please wait for some of them, then try again."
TOO_MANY_POSTS = "You have made me post a lot in a short time. Please wait a minute, then try again."


class PersonShares:
    """What is done for each person in this process. People take turns, and none holds up others."""

    def __init__(self, monotonic: Callable[[], float], posts_at_once: int = POSTS_AT_ONCE) -> None:
        """`monotonic` returns seconds; only differences count."""
        self._monotonic = monotonic
        self._posts_at_once = posts_at_once
        self._drawing = tuple(FairQueue(1) for _ in range(DRAWING_THREADS))
        self._long = FairQueue(LONG_REQUESTS)
        self._typed = FairQueue(TYPED_REQUESTS)
        self._newest_typed: dict[int, int] = {}  # by user, the newest list of choices that they wait for
        self._in_progress: Counter[int] = Counter()  # by user
        self._posts_free_at: OrderedDict[int, float] = OrderedDict()  # by user, when they may post the full number

    @contextmanager
    def request(self, user: int) -> Iterator[None]:
        """Say that this task, and the tasks that it starts, work on a request of this person."""
        self._in_progress[user] += 1
        before = current_request.get()
        current_request.set(Request(self, Person(user)))
        try:
            yield
        finally:
            current_request.set(before)
            self._in_progress[user] -= 1
            if not self._in_progress[user]:
                del self._in_progress[user]

    def require_room(self, user: int) -> None:
        """Raise RequestRefused if too many requests of a person are in progress."""
        if self._in_progress[user] > MOST_IN_PROGRESS:
            raise RequestRefused(TOO_MANY_REQUESTS)

    @asynccontextmanager
    async def typing(self, user: int, interaction: int) -> AsyncIterator[bool]:
        """Wait until choices may be computed for what a person types. Yield whether they have not typed on since."""
        self._newest_typed[user] = interaction
        try:
            with self.request(user):
                async with self._typed.turn(Person(user), Rank.REQUEST):
                    yield self._newest_typed.get(user) == interaction
        finally:
            if self._newest_typed.get(user) == interaction:
                del self._newest_typed[user]

    def drawing_turn(self, person: Person, thread: int) -> AbstractAsyncContextManager[None]:
        """Return a block in which something is drawn for a person in this thread."""
        return self._drawing[thread].turn(person, Rank.REQUEST)

    def long_turn(self, person: Person) -> AbstractAsyncContextManager[None]:
        """Return a block in which many rows are read for a person."""
        return self._long.turn(person, Rank.REQUEST)

    def count_post(self, user: int) -> None:
        """Count a message for everybody. Raises RequestRefused if the person has caused too many lately."""
        now = self._monotonic()
        while self._posts_free_at and next(iter(self._posts_free_at.values())) <= now:
            self._posts_free_at.popitem(last=False)
        free_at = max(now, self._posts_free_at.get(user, now)) + SECONDS_PER_POST
        if free_at > now + self._posts_at_once * SECONDS_PER_POST:
            raise RequestRefused(TOO_MANY_POSTS)
        self._posts_free_at[user] = free_at
        self._posts_free_at.move_to_end(user)


@dataclass(slots=True)
class Request:
    """A person's request that a task works on."""

    shares: PersonShares
    person: Person
    has_posted: bool = False  # a request counts as one post, however many messages it takes
    has_long_turn: bool = False


current_request: ContextVar[Request | None] = ContextVar("request", default=None)
"""The request that a task works on; None if nobody requested the work, such as a redraw."""


@asynccontextmanager
async def long_turn() -> AsyncIterator[None]:
    """Wait until many rows may be read for the current request, and hold the turn inside this block."""
    if (request := current_request.get()) is None or request.has_long_turn:
        yield
        return
    async with request.shares.long_turn(request.person):
        request.has_long_turn = True
        try:
            yield
        finally:
            request.has_long_turn = False


def count_post() -> None:
    """Count that the current request posts something for everybody. Raises RequestRefused if that is too much."""
    if (request := current_request.get()) is not None and not request.has_posted:
        request.shares.count_post(request.person.user)
        request.has_posted = True


def may_post() -> bool:
    """Count a post of the current request, and return whether it may be made."""
    try:
        count_post()
    except RequestRefused:
        return False
    return True


class RequestsAtOnce:
    """What is being computed for each person, in this process."""

    def __init__(self, most: int, refusal: str) -> None:
        self._most = most
        self._refusal = refusal  # a sentence for the player
        self._going: dict[int, Counter[Hashable]] = {}

    @contextmanager
    def count(self, user: int, what: Hashable) -> Iterator[None]:
        """Count a request inside this block; the same thing counts once. Raises RequestRefused for one too many."""
        going = self._going.setdefault(user, Counter())
        if what not in going and len(going) >= self._most:
            raise RequestRefused(self._refusal)
        going[what] += 1
        try:
            yield
        finally:
            going[what] -= 1
            if not going[what]:
                del going[what]
            if not going:
                self._going.pop(user, None)
