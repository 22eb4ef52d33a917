/** The drawer of faults: what one can make Discord do to the bot. */

import { setFault } from "./connection.js";
import { h } from "./dom.js";
import { drawerHead } from "./drawer_head.js";
import { hasFaults } from "./people.js";
import { guildHere, here, isDm, isOut, isThread, state, userName } from "./state.js";

/** @type {Record<string, bigint>} */
const PERMISSIONS = { view_channel: 1n << 10n, send_messages: 1n << 11n };

/** The page of the drawer. */
export function faultsDrawer() {
  const thread = threadHere();
  return h(
    "section",
    { class: "drawer-page", "data-key": "faults", "data-testid": "faults-drawer", "aria-label": "Faults" },
    drawerHead("Faults"),
    h("p", { class: "subtext" }, "Make Discord misbehave, and see what the bot does about it."),
    nowSet(),
    h(
      "div",
      { class: "fault-list" },
      faultForm("server_errors", "Server errors", "The next requests of the bot fail.", [
        number("count", "How many", 3),
        number("status", "Status", 503),
        text("path", "Path (a pattern)", "any"),
      ]),
      faultForm("rate_limit", "Rate limit", "The next requests are told to wait.", [number("count", "How many", 3)]),
      faultForm("bare_rate_limit", "Rate limit without a word", "The next get a bare 429: nothing says how long.", [
        number("count", "How many", 3),
      ]),
      faultForm("dms_too_fast", "Direct messages too fast", "Opening them is refused (40003).", [
        number("count", "How many", 3),
      ]),
      faultForm("too_many_threads", "No room for threads", "Beginning one is refused (160006).", [
        number("count", "How many", 1),
      ]),
      faultForm("locked_answer", "Locked threads", "What is answered in them: 50083, 50013 or 160005.", [
        number("code", "Code", 160005),
      ]),
      faultForm("cut_connections", "Cut connections", "Requests break off before anything was done.", cutFields()),
      faultForm("lost_answers", "Lost answers", "Requests are carried out, but their answers never come.", cutFields()),
      faultForm("slow", "Slow answers", "Every request takes longer.", [number("ms", "Milliseconds", 1500)]),
      faultForm("doubled_events", "Doubled events", "What the bot is told comes twice.", eventFields()),
      faultForm("late_events", "Late events", "What the bot is told comes after the next event.", eventFields()),
      oneButton("drop_gateway", "Drop the gateway", "The bot's WebSocket is cut; it must resume.", "Drop"),
      oneButton("invalidate_session", "End the session", "The bot cannot resume; it must identify anew.", "End"),
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
      allowButton("speak", "Let the bot speak here", "Forbid the bot to speak here", [
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

/** Which requests are cut: every one of so many, or a share of all until the fault is cleared. */
const cutFields = () => [
  number("count", "How many", "", "no end"),
  number("percent", "Percent", 5),
  text("path", "Path (a pattern)", "any"),
];

/** Which events are hit, likewise. */
const eventFields = () => [
  number("count", "How many", "", "no end"),
  number("percent", "Percent", 25),
  text("path", "Name (a pattern)", "any"),
];

function nowSet() {
  const set = Object.entries(state.faults ?? {}).filter(([, value]) => hasValue(value));
  if (!hasFaults())
    return h(
      "p",
      { class: "now-set calm", "data-key": "now", "data-testid": "faults-now", role: "status" },
      "No fault is set.",
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

/** Whether the thread we are in is archived and locked. */
function threadHere() {
  const channel = here();
  return channel && isThread(channel) ? channel.thread_metadata : undefined;
}

/** What the bot may do in this channel is allowed or forbidden. @param {string} id @param {string} allow @param {string} forbid @param {string[]} permissions */
function allowButton(id, allow, forbid, permissions) {
  const allowed = denied(PERMISSIONS[permissions[0]]);
  return actButton("allow_bot", allowed ? allow : forbid, !channelHere(), { permissions, allowed }, `bot-${id}`);
}

/** The channel where we are, or that of the thread. @returns {any} */
function channelHere() {
  /** @type {any} */ const channel = here();
  if (!channel || isDm(channel)) return undefined;
  return isThread(channel) ? state.channels.get(channel.parent_id) : channel;
}

/** Whether a permission is denied here, to whomever: here it is the bot alone. @param {bigint} bit */
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

/** Set what a form says. @param {HTMLFormElement} form @returns {Promise<any>} */
export function sendFault(form) {
  /** @type {Record<string, any>} */ const fault = { kind: form.getAttribute("data-fault") };
  for (const input of form.querySelectorAll("input"))
    if (input.value !== "") fault[input.name] = input.type === "number" ? Number(input.value) : input.value;
  return setFault(fault);
}
