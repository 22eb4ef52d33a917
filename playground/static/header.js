/** The bar above the messages: the current channel and person. */

import { byId, fill, h, icon } from "./dom.js";
import { narrow, tools } from "./people.js";
import { placeMark } from "./places.js";
import { channelName, isDm, isThread, state, userName } from "./state.js";

/** @typedef {import("./state.js").Channel} Channel */

/** @param {Channel | undefined} channel */
export function renderHeader(channel) {
  const mark = !channel ? "" : isDm(channel) ? icon("mail") : placeMark(channel);
  const parent = channel && isThread(channel) ? state.channels.get(channel.parent_id) : undefined;
  fill(
    byId("channel-header"),
    h(
      "button",
      {
        type: "button",
        class: "icon-button only-narrow",
        "data-action": "open-sidebar",
        "data-testid": "open-sidebar",
        "aria-label": "Channels",
      },
      icon("menu"),
    ),
    h("span", { class: "header-mark", "data-key": `mark-${channel?.type}` }, mark),
    h(
      "div",
      { class: "header-name" },
      parent &&
        h(
          "button",
          { type: "button", class: "link parent", "data-action": "go", "data-channel": parent.id },
          parent.name,
        ),
      parent && h("span", { class: "crumb", "aria-hidden": "true" }, "›"),
      h("h1", { "data-testid": "channel-name" }, channelName(channel)),
      h("span", { class: "thread-state", "data-testid": "thread-state" }, threadState(channel)),
    ),
    channel?.topic && h("span", { class: "topic" }, channel.topic),
    h(
      "span",
      { class: "header-person" },
      "as ",
      h("strong", { "data-testid": "current-person" }, userName(state.person)),
    ),
    narrow.matches && tools(),
  );
}

/** @param {Channel | undefined} channel */
function threadState(channel) {
  const { archived, locked } = channel?.thread_metadata ?? {};
  return [archived && "archived", locked && "locked"].filter(Boolean).join(", ");
}
