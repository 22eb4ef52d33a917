/** The drawer of faults: makes Discord misbehave toward the bot. */

import { setFault } from "./connection.js";
import { h } from "./dom.js";
import { drawerHead } from "./drawer_head.js";
import { hasFaults } from "./people.js";
import { guildHere, here, isDm, isOut, isThread, state, userName } from "./state.js";

/** @type {Record<string, bigint>} */
const PERMISSIONS = { view_channel: 1n << 10n, send_messages: 1n << 11n };

/** The content of the drawer. */
export function faultsDrawer() {
  const thread = threadHere();
  return h(
    "section",
    { class: "drawer-page", "data-key": "faults", "data-testid": "faults-drawer", "aria-label": "Faults" },
    drawerHead("Faults"),
    h("p", { class: "subtext" }, "Make Discord misbehave and watch how the bot copes."),
    nowSet(),
    h(
      "div",
      { class: "fault-list" },
      faultForm("server_errors", "Server errors", "The bot's next requests fail.", [
        number("count", "How many", 3),
        number("status", "Status", 503),
        text("path", "Path (pattern)", "any"),
      ]),
      faultForm("rate_limit", "Rate limit", "The bot's next requests must wait.", [number("count", "How many", 3)]),
      faultForm("bare_rate_limit", "Rate limit without a time", "The next requests get a bare 429, without a waiting time.", [
        number("count", "How many", 3),
      ]),
      faultForm("blocked", "Application blocked", "The next requests get a 429 that says the application is blocked.", [
        number("count", "How many", 3),
      ]),
      faultForm("dms_too_fast", "Direct messages too fast", "Opening a DM channel is refused (40003).", [
        number("count", "How many", 3),
      ]),
      faultForm("dms_refused", "Direct messages refused", "Opening a DM channel is refused for good (50007).", [
        number("count", "How many", 1),
      ]),
      faultForm("quarantine", "Quarantine", "First direct messages are refused (20026), from the given one on.", [
        number("first", "From which on", 1),
        text("step", "At opening or sending", "opening"),
      ]),
      faultForm("too_many_threads", "Too many threads", "Starting a thread is refused (160006).", [
        number("count", "How many", 1),
      ]),
      faultForm("locked_answer", "Locked threads", "The error code in locked threads: 50083, 50013 or 160005.", [
        number("code", "Code", 160005),
      ]),
      faultForm("cut_connections", "Cut connections", "The connection breaks before a request takes effect.", cutFields()),
      faultForm("lost_answers", "Lost answers", "Requests take effect, but the answers never arrive.", cutFields()),
      faultForm("slow", "Slow answers", "Every request takes longer.", [number("ms", "Milliseconds", 1500)]),
      faultForm("doubled_events", "Doubled events", "The bot gets events twice.", eventFields()),
      faultForm("late_events", "Late events", "The bot gets events after the next one.", eventFields()),
      oneButton("drop_gateway", "Drop the gateway", "The bot's WebSocket breaks; the bot must resume.", "Drop"),
      oneButton("invalidate_session", "End the session", "The bot cannot resume; it must identify again.", "End"),
      oneButton("restart_bot", "Restart the bot", "The process ends and starts again.", "Restart", "danger"),
    ),
    h("h3", { class: "group" }, "Server, as ", userName(state.person)),
    h(
      "div",
      { class: "fault-acts" },
      actButton("archive", `${thread?.archived ? "Open" : "Archive"} this thread`, !thread, {
        archived: !thread?.archived,
      }),
      actButton("lock", `${thread?.locked ? "Unlock" : "Lock"} this thread`, !thread, { locked: !thread?.locked }),
      allowButton("speak", "Let the bot write here", "Forbid the bot to write here", [
        "send_messages",
        "send_messages_in_threads",
      ]),
      allowButton("see", "Show this channel to the bot", "Hide this channel from the bot", ["view_channel"]),
      actButton("delete_channel", "Delete this channel", !here() || isDm(/** @type {any} */ (here()))),
      actButton("remove_bot", "Remove the bot"),
      actButton("add_bot", "Invite the bot again"),
      actButton("activities", "Switch Activities on"),
    ),
    h("h3", { class: "group" }, "People"),
    h("ul", { class: "fault-people" }, state.people.map(personRow)),
  );
}

/** Which requests are hit: a number of them, or a share of all until the fault is cleared. */
const cutFields = () => [
  number("count", "How many", "", "no end"),
  number("percent", "Percent", 5),
  text("path", "Path (pattern)", "any"),
];

/** The same for events. */
const eventFields = () => [
  number("count", "How many", "", "no end"),
  number("percent", "Percent", 25),
  text("path", "Name (pattern)", "any"),
];

function nowSet() {
  const set = Object.entries(state.faults ?? {}).filter(([, value]) => hasValue(value));
  if (!hasFaults())
    return h(
      "p",
      { class: "now-set calm", "data-key": "now", "data-testid": "faults-now", role: "status" },
      "No faults.",
    );
  return h(
    "div",
    { class: "now-set", "data-key": "now", "data-testid": "faults-now", role: "status" },
    h(
      "div",
      null,
      set.map(([name, value]) => h("div", null, h("strong", null, name.replaceAll("_", " ")), ` · ${inWords(value)}`)),
    ),
    h(
      "button",
      {
        type: "button",
        class: "button secondary small",
        "data-action": "fault",
        "data-kind": "clear",
        "data-testid": "fault-clear",
      },
      "Clear all",
    ),
  );
}

/** @param {any} value */
const inWords = (value) =>
  typeof value === "object"
    ? Object.entries(value)
        .filter(([, one]) => one !== "")
        .map(([name, one]) => `${name} ${one}`)
        .join(", ")
    : String(value);

/** @param {any} value */
const hasValue = (value) => Boolean(value) && (typeof value !== "object" || Object.keys(value).length > 0);

/** @param {string} kind @param {string} title @param {string} words @param {HTMLElement[]} fields */
function faultForm(kind, title, words, fields) {
  return h(
    "form",
    { class: "fault", "data-key": kind, "data-fault": kind, "data-testid": `fault-${kind}` },
    h("h3", null, title),
    h("p", { class: "subtext" }, words),
    h(
      "div",
      { class: "fault-fields" },
      fields,
      h("button", { type: "submit", class: "button secondary small" }, "Set"),
    ),
  );
}

/** @param {string} kind @param {string} title @param {string} words @param {string} verb @param {string} [style] */
function oneButton(kind, title, words, verb, style = "secondary") {
  return h(
    "div",
    { class: "fault", "data-key": kind },
    h("h3", null, title),
    h("p", { class: "subtext" }, words),
    h(
      "button",
      {
        type: "button",
        class: `button small ${style}`,
        "data-action": "fault",
        "data-kind": kind,
        "data-testid": `fault-${kind}`,
        "aria-label": title,
      },
      verb,
    ),
  );
}

/** The current thread's metadata: whether it is archived or locked. */
function threadHere() {
  const channel = here();
  return channel && isThread(channel) ? channel.thread_metadata : undefined;
}

/**
 * Switches that allow or forbid the bot something in this channel.
 * @param {string} id @param {string} allow @param {string} forbid @param {string[]} permissions
 */
function allowButton(id, allow, forbid, permissions) {
  const allowed = denied(PERMISSIONS[permissions[0]]);
  return actButton("allow_bot", allowed ? allow : forbid, !channelHere(), { permissions, allowed }, `bot-${id}`);
}

/** The current channel, or the current thread's channel. @returns {any} */
function channelHere() {
  /** @type {any} */ const channel = here();
  if (!channel || isDm(channel)) return undefined;
  return isThread(channel) ? state.channels.get(channel.parent_id) : channel;
}

/** Whether a permission is denied here; in the playground only the bot's ever are. @param {bigint} bit */
const denied = (bit) =>
  (channelHere()?.permission_overwrites ?? []).some((/** @type {any} */ one) => Boolean(BigInt(one.deny) & bit));

/** @param {string} what @param {string} word @param {boolean} [disabled] @param {Record<string, any>} [more] @param {string} [id] */
function actButton(what, word, disabled = false, more = {}, id = what) {
  return h(
    "button",
    {
      type: "button",
      class: "button secondary small",
      disabled,
      "data-action": "act-here",
      "data-do": what,
      "data-more": JSON.stringify(more),
      "data-testid": `act-${id}`,
    },
    word,
  );
}

/** @param {string} name @param {string} label @param {number | ""} value @param {string} [placeholder] */
function number(name, label, value, placeholder) {
  return h(
    "label",
    { class: "fault-field" },
    h("span", null, label),
    h("input", { type: "number", class: "text-input", name, value, placeholder, min: 0, inputmode: "numeric" }),
  );
}

/** @param {string} name @param {string} label @param {string} placeholder */
function text(name, label, placeholder) {
  return h(
    "label",
    { class: "fault-field wide" },
    h("span", null, label),
    h("input", { type: "text", class: "text-input", name, placeholder, spellcheck: "false" }),
  );
}

/** @param {import("./state.js").Person} person */
function personRow(person) {
  return h(
    "li",
    { "data-key": person.id, class: "fault-person" },
    h("span", { class: "fault-name" }, person.name),
    h(
      "label",
      { class: "switch" },
      h("input", {
        type: "checkbox",
        role: "switch",
        checked: !person.dms_closed,
        "data-action": "toggle-dms",
        "data-person": person.id,
        "data-testid": `fault-dms-${person.name}`,
        "aria-label": `${person.name}'s direct messages are open`,
      }),
      h("span", { class: "track", "aria-hidden": "true" }),
      h("span", { class: "switch-word" }, "DMs"),
    ),
    h(
      "label",
      { class: "switch" },
      h("input", {
        type: "checkbox",
        role: "switch",
        checked: !isOut(person, guildHere()?.id),
        "data-action": "toggle-member",
        "data-person": person.id,
        "data-testid": `fault-member-${person.name}`,
        "aria-label": `${person.name} is in the server`,
      }),
      h("span", { class: "track", "aria-hidden": "true" }),
      h("span", { class: "switch-word" }, "Member"),
    ),
  );
}

/** Cause the fault that a form describes. @param {HTMLFormElement} form @returns {Promise<any>} */
export function sendFault(form) {
  /** @type {Record<string, any>} */ const fault = { kind: form.getAttribute("data-fault") };
  for (const input of form.querySelectorAll("input"))
    if (input.value !== "") fault[input.name] = input.type === "number" ? Number(input.value) : input.value;
  return setFault(fault);
}
