/** The box at the bottom: chat, and slash commands by list, by fields or typed out. */

import { askedFor, choicesOf, compile, compileDraft, leafOf, leaves, matching, optional, parseFields } from "./commands.js";
import { drawComposer, fieldInput, textInput } from "./composer_view.js";
import { act, interact } from "./connection.js";
import { byId } from "./dom.js";
import { draft, popup } from "./draft.js";
import { here, state } from "./state.js";

/** @typedef {import("./commands.js").Leaf} Leaf */
/** @typedef {import("./commands.js").Option} Option */
/** @typedef {import("./commands.js").Field} Field */
/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").Suggestion} Suggestion */

const AUTOCOMPLETE_WAIT_MS = 150;

/** @type {{changed: () => void, complain: (error: unknown) => void}} */
let app = { changed: () => {}, complain: () => {} };

export function renderComposer() {
  drawComposer(suggestions());
}

// ---------------------------------------------------------------- suggestions

/** @returns {Suggestion[]} */
function suggestions() {
  const now = draft();
  if (now.leaf)
    return popup.offered.map((choice, at) => ({
      label: choice.name,
      detail: "",
      testid: `choice-${at}`,
      pick: () => pickChoice(choice),
    }));
  if (!now.text.startsWith("/")) return [];
  return matching(now.text, leaves(here())).map((leaf) => ({
    label: `/${leaf.name}`,
    detail: `${leaf.description}${optionWords(leaf)}`,
    testid: `command-${leaf.path.join("-")}`,
    strong: true,
    pick: () => enterCommand(leaf, parseFields(now.text, leaf)),
  }));
}

/** @param {Leaf} leaf */
function optionWords(leaf) {
  const needed = leaf.options.filter((option) => option.required).map((option) => option.name);
  const words = [...needed, optional(leaf.options.length - needed.length)].filter(Boolean);
  return words.length ? ` · ${words.join(" ")}` : "";
}

/** Draw at once, so that a new element can take the focus. */
function drawNow() {
  renderComposer();
  app.changed();
}

/** Open the fields of a command. @param {Leaf} leaf @param {Record<string, Field>} [fields] */
export function enterCommand(leaf, fields = {}) {
  Object.assign(draft(), { leaf, fields, all: false, text: "", error: "", wrong: "" });
  closePopup();
  drawNow();
  focusField((askedFor(leaf, fields).find((option) => !fields[option.name]) ?? askedFor(leaf, fields)[0])?.name);
}

/** @param {string} name as `game new` */
export function enterCommandByName(name) {
  const leaf = leafOf(name, leaves(here()));
  if (leaf) enterCommand(leaf);
  else app.complain(new Error(`/${name} cannot be used here.`));
}

/** @param {string | undefined} name */
function focusField(name) {
  const target = name ? fieldInput(name) : byId("command-name");
  target?.focus();
}

/** @param {string} text */
function leaveCommand(text = "") {
  Object.assign(draft(), { leaf: null, fields: {}, all: false, text, error: "", wrong: "" });
  closePopup();
  drawNow();
  textInput()?.focus();
}

/** @param {{name: string, value: any}} choice */
function pickChoice(choice) {
  const now = draft();
  Object.assign(now, { error: "", wrong: "" });
  now.fields[popup.field] = { text: choice.name, value: choice.value, chosen: choice.name };
  const next = now.leaf?.options.find((option) => option.required && !now.fields[option.name]?.text);
  const field = popup.field;
  closePopup();
  drawNow();
  if (next) focusField(next.name);
  else fieldInput(field)?.focus();
}

function closePopup() {
  Object.assign(popup, { open: false, active: -1, moved: false, offered: [], loading: false });
  popup.asked += 1;
}

/** @param {string} name */
function openField(name) {
  const now = draft();
  const option = now.leaf?.options.find((one) => one.name === name);
  if (!option) return;
  const text = now.fields[name]?.text ?? "";
  Object.assign(popup, { open: true, field: name, moved: false });
  if (option.autocomplete) askForChoices(now, option);
  else offer(option, text, filtered(choicesOf(option), now.fields[name]));
  app.changed();
}

/** @param {{name: string, value: any}[]} choices @param {Field | undefined} field */
function filtered(choices, field) {
  if (!field || field.chosen === field.text) return choices.slice(0, 25);
  return choices.filter((choice) => choice.name.toLowerCase().includes(field.text.trim().toLowerCase())).slice(0, 25);
}

/** @param {Option} option @param {string} text @param {{name: string, value: any}[]} choices */
function offer(option, text, choices) {
  const exact = choices.some((choice) => choice.name === text);
  const wanted = choices.length > 0 && !exact && (text !== "" || option.required);
  Object.assign(popup, { offered: choices, active: wanted ? 0 : -1, loading: false });
}

/** @param {Draft} now @param {Option} option */
function askForChoices(now, option) {
  const asked = (popup.asked += 1);
  popup.loading = true;
  setTimeout(async () => {
    if (asked !== popup.asked || !now.leaf) return;
    const answer = await act({
      do: "autocomplete",
      channel_id: here()?.id,
      ...compileDraft(now.leaf, now.fields, option.name),
    }).catch(() => ({ choices: [] }));
    if (asked !== popup.asked) return;
    offer(option, now.fields[option.name]?.text ?? "", answer.choices ?? []);
    app.changed();
  }, AUTOCOMPLETE_WAIT_MS);
}

// ---------------------------------------------------------------- sending

async function send() {
  const now = draft();
  const leaf = now.leaf ?? leafOf(now.text, leaves(here()));
  if (now.leaf) return sendCommand(now.leaf, now.fields);
  if (now.text.startsWith("/"))
    return leaf ? sendCommand(leaf, parseFields(now.text, leaf)) : refuse("There is no such command here.");
  return say(now.text.trim());
}

/** @param {string} text @param {string} [option] */
function refuse(text, option = "") {
  Object.assign(draft(), { error: text, wrong: option });
  drawNow();
}

/** @param {Leaf} leaf @param {Record<string, Field>} fields */
function sendCommand(leaf, fields) {
  let compiled;
  try {
    compiled = compile(leaf, fields);
  } catch (error) {
    const { message, option } = /** @type {Error & {option: string}} */ (error);
    if (!draft().leaf) enterCommand(leaf, fields);
    refuse(message, option);
    fieldInput(option)?.focus();
    return;
  }
  leaveCommand();
  interact({ do: "command", channel_id: here()?.id, ...compiled, label: `/${leaf.name}` }, app.changed).catch(
    app.complain,
  );
}

/** @param {string} text */
function say(text) {
  if (!text) return;
  const content = text.replace(/@([\w.]+)/g, (whole, name) => {
    const person = state.people.find((one) => one.name.toLowerCase() === name.toLowerCase());
    return person ? `<@${person.id}>` : whole;
  });
  const mine = draft();
  leaveCommand();
  act({ do: "say", channel_id: here()?.id, content }).catch((error) => {
    mine.text ||= text;
    app.complain(error);
    app.changed();
  });
}

// ---------------------------------------------------------------- keys and clicks

/** @param {InputEvent | Event} event */
function onInput(event) {
  const target = /** @type {HTMLInputElement} */ (event.target);
  const now = draft();
  Object.assign(now, { error: "", wrong: "" });
  const option = target.getAttribute("data-option");
  if (option) {
    now.fields[option] = { text: target.value };
    openField(option);
    return;
  }
  now.text = target.value;
  Object.assign(popup, { open: now.text.startsWith("/"), active: now.text.startsWith("/") ? 0 : -1, moved: false });
  app.changed();
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (event.isComposing) return;
  const list = popup.open ? suggestions() : [];
  if (/** @type {HTMLElement} */ (event.target).dataset.action) return; // a button has its own action
  const handler = KEYS[event.key];
  if (handler?.(event, list)) event.preventDefault();
}

/**
 * Each returns whether it used the key.
 * @type {Record<string, (event: KeyboardEvent, list: Suggestion[]) => boolean>}
 */
const KEYS = {
  ArrowDown: (_event, list) => move(list, 1),
  ArrowUp: (_event, list) => move(list, -1),
  Enter: onEnter,
  Tab: onTab,
  Escape: onEscape,
  Backspace: onBackspace,
};

/** @param {Suggestion[]} list @param {number} step */
function move(list, step) {
  if (!list.length) return false;
  popup.active = (popup.active + step + list.length) % list.length;
  popup.moved = true;
  app.changed();
  document.getElementById(`suggestion-${popup.active}`)?.scrollIntoView({ block: "nearest" });
  return true;
}

/** @param {KeyboardEvent} event @param {Suggestion[]} list */
function onEnter(event, list) {
  if (event.shiftKey && !draft().leaf) return false;
  const typedWhole = !draft().leaf && !popup.moved && leafOf(draft().text, leaves(here()));
  if (!typedWhole && list[popup.active]) list[popup.active].pick();
  else send();
  return true;
}

/** @param {KeyboardEvent} event @param {Suggestion[]} list */
function onTab(event, list) {
  if (event.shiftKey || !list.length) return false;
  const chosen = list[Math.max(popup.active, draft().leaf ? -1 : 0)];
  if (!chosen || (draft().leaf && !popup.moved && !draft().fields[popup.field]?.text)) return false;
  chosen.pick();
  return !draft().leaf || !event.target || /** @type {HTMLElement} */ (event.target).id === "composer-input";
}

/** @param {KeyboardEvent} event */
function onEscape(event) {
  event.stopPropagation();
  const now = draft();
  if (popup.open || now.error) {
    now.error = "";
    closePopup();
    app.changed();
  } else if (now.leaf) leaveCommand();
  else return false;
  return true;
}

/** @param {KeyboardEvent} event */
function onBackspace(event) {
  const target = /** @type {HTMLInputElement} */ (event.target);
  const now = draft();
  if (!now.leaf || target.value) return false;
  const at = now.leaf.options.findIndex((option) => option.name === target.getAttribute("data-option"));
  if (at > 0) focusField(now.leaf.options[at - 1].name);
  else leaveCommand(`/${now.leaf.name}`);
  return true;
}

/** @type {Record<string, (element: HTMLElement) => void>} */
export const composerActions = {
  send: () => void send(),
  "leave-command": () => leaveCommand(),
  "pick-suggestion": (element) => suggestions()[Number(element.getAttribute("data-at"))]?.pick(),
  "more-options": () => {
    const now = draft();
    const first = now.leaf?.options.find((option) => !option.required && !now.fields[option.name]);
    now.all = true;
    drawNow();
    focusField(first?.name);
  },
  "fill-command": (element) => enterCommandByName(element.getAttribute("data-command") ?? ""),
  "run-command": (element) => {
    const text = element.getAttribute("data-command") ?? "";
    const leaf = leafOf(text, leaves(here()));
    if (leaf) sendCommand(leaf, parseFields(text, leaf));
  },
  "start-command": () => {
    draft().text = "/";
    Object.assign(popup, { open: true, active: 0, moved: false });
    drawNow();
    textInput()?.focus();
  },
};

/** @param {typeof app} given */
export function startComposer(given) {
  app = given;
  const area = byId("composer");
  area.addEventListener("input", onInput);
  area.addEventListener("keydown", onKey);
  area.addEventListener("mousedown", (event) => {
    if (event.target instanceof Element && event.target.closest(".popup")) event.preventDefault();
  });
  area.addEventListener("focusin", (event) => {
    const option = /** @type {HTMLElement} */ (event.target).getAttribute("data-option");
    if (option && (popup.field !== option || !popup.open)) openField(option);
  });
  area.addEventListener("focusout", (event) => {
    if (event.relatedTarget instanceof Node && area.contains(event.relatedTarget)) return;
    closePopup();
    draft().error = "";
    app.changed();
  });
}

/** In a new place, drop the suggestions for the old one. */
export function resetPopup() {
  closePopup();
}
