/** The row of people at the top, and the list of channels at the side. */

import { byId, fill, h, icon } from "./dom.js";
import {
  channelName,
  channelsOf,
  compareIds,
  guildHere,
  here,
  isDm,
  isOut,
  isThread,
  me,
  state,
  unread,
  unreadOf,
} from "./state.js";
import { placeMark } from "./places.js";
import { botStatus, rail } from "./servers.js";
import { isDue } from "./turn.js";

/** @typedef {import("./state.js").Person} Person */
/** @typedef {import("./state.js").Channel} Channel */

const COLOURS = 8;

/** A letter on a disc. @param {string | undefined} id @param {string} name @param {boolean} [bot] */
export function avatar(id, name, bot = false) {
  const at = state.people.findIndex((person) => person.id === id);
  const tone = bot || id === state.bot.id ? "bot" : String((at < 0 ? Number((id ?? "0").slice(-4)) : at) % COLOURS);
  return h("span", { class: `avatar tone-${tone}`, "aria-hidden": "true" }, [...name][0]?.toUpperCase() ?? "?");
}

export function renderPeople() {
  fill(
    byId("people-bar"),
    h("span", { class: "people-word", id: "people-word" }, "Play as"),
    h(
      "div",
      { class: "people", role: "group", "aria-labelledby": "people-word", "data-testid": "people" },
      state.people.map(chip),
    ),
    !narrow.matches && tools(),
  );
}

/** On a narrow screen, the tools move from the row of people to the channel's header. */
export const narrow = matchMedia("(max-width: 760px)");

/** The switches of the page. */
export function tools() {
  return h(
    "div",
    { class: "tools" },
    toggle("follow", "Follow the turn", state.follow, "toggle-follow", "follow-toggle"),
    toggle("log", "Requests", state.drawer === "log", "toggle-log", "log-toggle"),
    toggle("fault", "Faults", state.drawer === "faults", "toggle-faults", "faults-toggle"),
    h(
      "button",
      {
        type: "button",
        class: "tool",
        "data-action": "cycle-theme",
        "data-testid": "theme-toggle",
        "aria-label": `Theme: ${state.theme}`,
        title: `Theme: ${state.theme}`,
      },
      icon("theme"),
    ),
  );
}

/** @param {any} name @param {string} word @param {boolean} on @param {string} action @param {string} testid */
function toggle(name, word, on, action, testid) {
  const busy = action === "toggle-faults" && hasFaults();
  return h(
    "button",
    {
      type: "button",
      class: `tool${on ? " on" : ""}`,
      "aria-pressed": on ? "true" : "false",
      "data-action": action,
      "data-testid": testid,
      title: word,
    },
    icon(name),
    h("span", { class: "tool-word" }, word),
    busy && h("span", { class: "dot", title: "A fault is active" }),
  );
}

/** Whether any fault is active. */
export function hasFaults() {
  return Object.values(state.faults ?? {}).some((value) =>
    Array.isArray(value)
      ? value.length > 0
      : value && typeof value === "object"
        ? Object.keys(value).length > 0
        : Boolean(value),
  );
}

/** Whether they are in the current server. @param {Person} person */
const isAdmin = (person) => Boolean(person.admin?.includes(guildHere()?.id ?? ""));

/** @param {Person} person */
function chip(person) {
  const { unread: news, calls } = unreadOf(person.id);
  const mine = person.id === state.person;
  const due = isDue(person.id);
  const guild = guildHere();
  const out = isOut(person, guild?.id);
  const words = [
    person.name,
    isAdmin(person) && "admin",
    person.dms_closed && "direct messages closed",
    out && "not in the server",
    due && "to move",
    calls ? `${calls} new for ${person.name}` : news ? "unread messages" : "",
  ];
  const props = {
    type: "button",
    class: `chip${mine ? " current" : ""}${out ? " away" : ""}${due ? " due" : ""}`,
    "aria-pressed": mine ? "true" : "false",
    "aria-label": words.filter(Boolean).join(", "),
    title: words.filter(Boolean).join(" · "),
    "data-key": person.id,
    "data-action": "play-as",
    "data-person": person.id,
    "data-testid": `people-chip-${person.name}`,
    "data-unread": news,
    "data-calls": calls,
    "data-due": due,
  };
  return h(
    "button",
    props,
    avatar(person.id, person.name),
    h("span", { class: "chip-name" }, person.name),
    person.dms_closed && h("span", { class: "badge-icon" }, icon("lock")),
    mark(news, calls),
  );
}

/** @param {number} news @param {number} calls */
function mark(news, calls) {
  if (calls) return h("span", { class: "count", "aria-hidden": "true" }, Math.min(calls, 99));
  return news ? h("span", { class: "dot", "aria-hidden": "true" }) : null;
}

export function renderSidebar() {
  const mine = channelsOf(state.person);
  const guild = guildHere();
  const places = mine.filter((channel) => !isDm(channel) && channel.guild_id === guild?.id);
  const out = isOut(me(), guild?.id);
  const servers = rail();
  byId("sidebar").classList.toggle("with-servers", servers !== null);
  const dms = mine.filter(isDm);
  fill(
    byId("sidebar"),
    servers,
    h(
      "header",
      { class: "guild" },
      h("h2", { "data-testid": "guild-name" }, guild?.name ?? "…"),
      h(
        "button",
        {
          type: "button",
          class: "icon-button only-narrow",
          "data-action": "close-sidebar",
          "aria-label": "Close the list of channels",
        },
        icon("close"),
      ),
    ),
    h(
      "div",
      { class: "channels" },
      h("h3", { class: "group" }, "Channels"),
      places.length ? h("ul", null, tree(places)) : h("p", { class: "none" }, "Not a member of this server."),
      h("h3", { class: "group" }, "Direct messages"),
      dms.length
        ? h(
            "ul",
            null,
            dms.map((channel) => h("li", { "data-key": channel.id }, entry(channel))),
          )
        : h(
            "p",
            { class: "none" },
            me()?.dms_closed
              ? "Closed: the bot cannot write here."
              : "None yet. The bot opens them when you join a game.",
          ),
      !out && members(),
    ),
    self(),
  );
}

/** @param {Channel[]} places */
function tree(places) {
  const tops = places
    .filter((channel) => !isThread(channel))
    .sort((a, b) => (a.position ?? 0) - (b.position ?? 0) || compareIds(a.id, b.id));
  return tops.map((channel) => {
    const threads = places.filter(
      (one) => one.parent_id === channel.id && isThread(one) && (!one.thread_metadata?.archived || one === here()),
    );
    return h(
      "li",
      { "data-key": channel.id },
      entry(channel),
      threads.length > 0 &&
        h(
          "ul",
          { class: "threads" },
          threads.map((thread) => h("li", { "data-key": thread.id }, entry(thread))),
        ),
    );
  });
}

/** @param {Channel} channel */
function entry(channel) {
  const { unread: news, calls } = unread(state.person, channel.id);
  const current = here()?.id === channel.id;
  const mark_ = isDm(channel) ? avatar(state.bot.id, state.bot.name, true) : placeMark(channel);
  const status = isDm(channel) && h("span", { class: `status ${botStatus("0")}`, "aria-hidden": "true" });
  return h(
    "button",
    {
      type: "button",
      class: `channel${current ? " current" : ""}${news ? " fresh" : ""}`,
      "aria-current": current ? "page" : null,
      "data-action": "go",
      "data-channel": channel.id,
      "data-testid": `channel-${channel.id}`,
      "data-unread": news,
    },
    h("span", { class: "channel-mark" }, mark_, status),
    h("span", { class: "channel-name" }, channelName(channel)),
    news > 0 && h("span", { class: "visually-hidden" }, `, ${news} unread`),
    mark(news, calls),
  );
}

/** The members of the server with their status: playable people are online, the bot has its own. */
function members() {
  const guild = guildHere();
  const there = state.people.filter((person) => !isOut(person, guild?.id));
  const rows = [
    member(state.bot.id, state.bot.name, botStatus(guild?.id ?? ""), "bot"),
    ...there.map((person) => member(person.id, person.name, "online", isAdmin(person) ? "admin" : "")),
  ];
  return [
    h("h3", { class: "group", id: "members-word" }, `Members: ${rows.length}`),
    h("ul", { class: "members", "aria-labelledby": "members-word", "data-testid": "members" }, rows),
  ];
}

/** @param {string} id @param {string} name @param {string} status @param {string} note */
function member(id, name, status, note) {
  return h(
    "li",
    { class: `member ${status}`, "data-key": `member-${id}` },
    h(
      "span",
      { class: "channel-mark" },
      avatar(id, name, note === "bot"),
      h("span", { class: `status ${status}`, "aria-hidden": "true" }),
    ),
    h("span", { class: "channel-name" }, name),
    note && h("span", { class: "member-note" }, note),
    h("span", { class: "visually-hidden" }, `, ${status}`),
  );
}

function self() {
  const person = me();
  if (!person) return null;
  const notes = [isAdmin(person) && "admin", isOut(person, guildHere()?.id) && "left the server"].filter(Boolean).join(" · ");
  return h(
    "footer",
    { class: "self" },
    avatar(person.id, person.name),
    h(
      "div",
      { class: "self-text" },
      h("strong", null, person.name),
      h("span", null, `@${person.username}${notes ? ` · ${notes}` : ""}`),
    ),
    h(
      "label",
      { class: "switch", title: "Whether the bot may send this person direct messages" },
      h("input", {
        type: "checkbox",
        role: "switch",
        checked: !person.dms_closed,
        "data-action": "toggle-dms",
        "data-person": person.id,
        "data-testid": "dms-switch",
      }),
      h("span", { class: "track", "aria-hidden": "true" }),
      h("span", { class: "switch-word" }, "DMs"),
    ),
  );
}
