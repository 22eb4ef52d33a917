"""Messages as the playground's own page draws them, many side by side in one Chromium page, and how high they are."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Self

from playwright.async_api import Page, Route

from cogs.pictures.raster.canvas import ground_size
from cogs.pictures.raster.pen import DrawFunction
from cogs.pictures.sign_strip import strip_size
from cogs.pictures.spec import SignStrip, Spec
from cogs.screens.screen import Picture
from cogs.table.pages import page as page_module
from cogs.table.transport import discord_views
from playground.world import ids
from playground.world.world import COMPONENTS_V2
from tests.game_uis import STUDIO
from tests.page.page_driver import ROOT, BrowserWindows, Size

AT_ONCE: Final = 250  # messages that are laid out together
PAGE_URL: Final = "http://playground.test"
PAGE_HTML: Final = """<!doctype html><html lang="en" data-theme="dark"><head><meta charset="utf-8">
<link rel="stylesheet" href="/static/sizes.css"><link rel="stylesheet" href="/static/style.css">
<link rel="stylesheet" href="/static/message.css">
<style>html, body { overflow: auto; height: auto } body { display: flex } #list { width: 100%; min-width: 0 }</style>
</head><body><nav class="sidebar"></nav><main class="chat"><ol id="list" class="message-list"></ol></main>
<script type="module">
import { messageRow } from "/static/message.js";
import { state } from "/static/state.js";
Object.assign(state, { bot: { id: BOT, name: "Motley", status: "online" }, person: ADA });
state.people = [{ id: ADA, name: "Ada", username: "ada", admin: [], dms_closed: false }];
state.channels.set("1", { id: "1", type: 1, person: ADA });
const list = document.getElementById("list");
const low = (boxes) => Math.max(...boxes.map((box) => box.bottom));
const of = (row, what) => [...row.querySelectorAll(what)].map((one) => one.getBoundingClientRect());
window.draw = async (messages) => {
  list.replaceChildren(...messages.map((message) => messageRow(message, false)));
  await Promise.all([...list.querySelectorAll("img")].map((one) => one.decode()));
};
window.measure = (moves) => [...list.children].map((row) => {
  const box = row.getBoundingClientRect(), controls = of(row, moves), pictures = of(row, ".gallery img");
  return {
    height: box.height,
    below: controls.length ? box.bottom - low(controls) : 0,
    picture: pictures.length ? [pictures[0].width, pictures[0].height] : [0, 0],
    wide: Math.max(row.scrollWidth - row.clientWidth, 0),
    alone: [...row.querySelectorAll(".action-row")].some((line) => {
      const [last, before] = of(line, "button, a").reverse();
      return before && last.top >= before.bottom && line.innerText.endsWith(MORE);
    }),
  };
});
document.documentElement.dataset.ready = "";
</script></body></html>"""
MOVING_KINDS: Final = frozenset("mcspfno")  # the kinds of controls that make a move, or lead to one
MOVE_SELECTOR: Final = ", ".join(f'[data-custom-id^="{kind}:"]' for kind in sorted(MOVING_KINDS))

PictureSource = Callable[[Picture], tuple[str, int, int]]
"""Under which name a picture is asked for, and how large it is."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """How high a message is, and how far its last control that makes a move is from its end, in pixels."""

    height: float
    below: float
    picture: tuple[float, float]
    wide: float  # how far something runs out of it sideways
    alone: bool  # whether More stands alone in a line, below the buttons of its row


class MessageRuler:
    def __init__(self, page: Page) -> None:
        self.page = page
        self._measurements: dict[tuple[Any, ...], Measurement] = {}
        self._real_pictures: dict[str, bytes] = {}

    @classmethod
    @asynccontextmanager
    async def open(cls, browser: BrowserWindows, size: Size) -> AsyncIterator[Self]:
        """The page in such a window; nothing but the page's own files is behind it."""
        async with browser.window(size) as page:
            ruler = cls(page)
            await ruler.page.route("**/*", ruler._serve_route)
            await ruler.page.goto(PAGE_URL)
            await ruler.page.locator("html[data-ready]").wait_for(state="attached")
            yield ruler

    async def measure(self, pages: Sequence[page_module.Page]) -> list[Measurement]:
        """Each as the first message of its author; what is laid out alike is measured once."""
        new = {_layout_key(page): page for page in pages if _layout_key(page) not in self._measurements}
        wanted = list(new.items())
        for i in range(0, len(wanted), AT_ONCE):
            some = wanted[i : i + AT_ONCE]
            drawn = [discord_message(page, blank_picture) for _, page in some]
            await self.page.evaluate("messages => draw(messages)", drawn)
            found = await self.page.evaluate("moves => measure(moves)", MOVE_SELECTOR)
            self._measurements |= {key: Measurement(**each) for (key, _), each in zip(some, found, strict=True)}
        return [self._measurements[_layout_key(page)] for page in pages]

    async def photograph(self, page: page_module.Page) -> bytes:
        await self.page.evaluate("messages => draw(messages)", [discord_message(page, self._draw_picture)])
        return await self.page.locator("#list").screenshot()

    def _draw_picture(self, picture: Picture) -> tuple[str, int, int]:
        name = f"{len(self._real_pictures)}.png"  # one of its own, since Chromium keeps what it has seen under a name
        self._real_pictures[name] = STUDIO.cached_or_rendered(picture.spec)
        return (name, *picture_size(picture.spec))

    async def _serve_route(self, route: Route) -> None:
        path = route.request.url.removeprefix(PAGE_URL)
        if path == "/":
            shell = PAGE_HTML.replace("BOT", f'"{ids.BOT}"').replace("ADA", f'"{ids.ADA}"').replace("MORE", '"More"')
            await route.fulfill(body=shell, content_type="text/html")
        elif path.startswith("/static/"):
            await route.fulfill(path=ROOT / "playground" / path[1:])
        elif (name := path.rpartition("/")[2]) in self._real_pictures:
            await route.fulfill(body=self._real_pictures[name], content_type="image/png")
        elif name.endswith(".svg"):
            width, height = name.removesuffix(".svg").split("x")
            svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"/>'
            await route.fulfill(body=svg, content_type="image/svg+xml")
        else:
            await route.fulfill(status=404)


def discord_message(page: page_module.Page, snapshot: PictureSource) -> dict[str, Any]:
    """The page as Discord would hand it to the playground's page."""
    components: list[Any] = discord_views.page_view(page).to_components()
    pictures = {picture.name: snapshot(picture) for picture in page.pictures}
    author = {"id": str(ids.BOT), "bot": True, "global_name": "Motley"}
    message = {"id": "1", "channel_id": "1", "type": 0, "author": author, "timestamp": "2026-01-01T12:00:00+00:00"}
    return message | {"flags": COMPONENTS_V2, "components": _resolve_pictures(components, pictures)}


def _resolve_pictures(node: Any, pictures: Mapping[str, tuple[str, int, int]]) -> Any:
    if isinstance(node, list):
        return [_resolve_pictures(inner, pictures) for inner in node]
    if not isinstance(node, dict):
        return node
    name = str(node.get("url", "")).removeprefix("attachment://")
    if name in pictures:
        file, width, height = pictures[name]
        return node | {"url": f"{PAGE_URL}/attachments/1/1/{file}", "width": width, "height": height}
    return {key: _resolve_pictures(inner, pictures) for key, inner in node.items()}


def blank_picture(picture: Picture) -> tuple[str, int, int]:
    width, height = picture_size(picture.spec)
    return f"{width}x{height}.svg", width, height


class OutlineSurface:
    """A surface on which nothing is drawn: it only knows how large it is."""

    def __init__(self, ground: DrawFunction, height: int, cloth: str = "green") -> None:
        self.size = ground_size(ground, height)

    def paste(self, *thing: object, **options: object) -> None: ...

    def text(self, *words: object, **options: object) -> None: ...


@cache
def picture_size(spec: Spec) -> tuple[int, int]:
    if isinstance(spec, SignStrip):
        return strip_size(len(spec.signs))
    return STUDIO.lay_out(spec, OutlineSurface).size


def _layout_key(page: page_module.Page) -> tuple[Any, ...]:
    """All of a page that says how high it is: of a picture the size, of a list what is seen while it is closed."""

    def visible(block: page_module.Block) -> object:
        match block:
            case Picture():
                return picture_size(block.spec)
            case page_module.Section(text, picture):
                return text, picture_size(picture.spec)
            case page_module.PressSection(text, press):
                return text, press.label
            case page_module.Row(items) if isinstance(items, page_module.Menu):
                return items.to[:2], items.placeholder, tuple(line.label for line in items.lines if line.chosen)
            case page_module.Row(items) if not isinstance(items, page_module.Menu):
                return tuple((press.label, press.emoji, press.to[:2], press.link) for press in items)
        return block

    return tuple(map(visible, page.blocks))
