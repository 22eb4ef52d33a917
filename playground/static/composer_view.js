/** Draws the box at the bottom: a line of text, or a command with its fields, and the suggestions above. */

import { askedFor, OPTION, optional } from "./commands.js";
import { byId, fill, h, icon } from "./dom.js";
import { draft, popup } from "./draft.js";
import { narrow } from "./people.js";
import { placeWords } from "./places.js";
import { here, state, userName } from "./state.js";

/** @typedef {import("./commands.js").Leaf} Leaf */
/** @typedef {import("./commands.js").Option} Option */
/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").Suggestion} Suggestion */

/** Draw the box with the suggestions above it. @param {Suggestion[]} list */
export function drawComposer(list) {
  const channel = here();
  const now = draft();
  fill(byId("composer"), now.leaf ? commandRow(now, now.leaf) : textRow(channel), popupBox(list));
  if (!now.leaf) syncText(now.text);
  else for (const option of now.leaf.options) syncField(option.name, now.fields[option.name]?.text ?? "");
}

/** @param {import("./state.js").Channel | undefined} channel */
function textRow(channel) {
  const where = channel ? placeWords(channel) : "nowhere";
  const input = h("textarea", {
    id: "composer-input",
    "data-testid": "composer",
    rows: 1,
    placeholder: narrow.matches ? "Message or type /" : `Message ${where} or type /`,
    "aria-label": `Message ${where} as ${userName(state.person)}`,
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": popup.open ? "true" : "false",
    "aria-controls": "popup",
    "aria-activedescendant": activeId(),
    autocomplete: "off",
    spellcheck: "false",
    disabled: !channel,
    maxlength: 2000,
  });
  return h(
    "div",
    { class: "composer-row", "data-key": `text-${state.person}` },
    h(
      "button",
      {
        type: "button",
        class: "icon-button slash",
        "data-action": "start-command",
        "aria-label": "Slash commands",
        "data-testid": "slash-button",
      },
      "/",
    ),
    input,
    h(
      "button",
      {
        type: "button",
        class: "icon-button",
        "data-action": "send",
        "data-testid": "composer-send",
        "aria-label": "Send",
      },
      icon("send"),
    ),
  );
}

/** @param {Draft} now @param {Leaf} leaf */
function commandRow(now, leaf) {
  const asked = now.all ? leaf.options : askedFor(leaf, now.fields);
  const left = leaf.options.length - asked.length;
  return h(
    "div",
    {
      class: "composer-row command",
      "data-key": `command-${state.person}-${leaf.name}`,
      role: "group",
      "aria-label": `Command ${leaf.name}`,
      "data-testid": "command-row",
    },
    h(
      "button",
      {
        type: "button",
        class: "icon-button",
        "data-action": "leave-command",
        "data-testid": "command-cancel",
        "aria-label": "Cancel the command",
      },
      icon("close"),
    ),
    h(
      "div",
      { class: "pills" },
      h(
        "span",
        { class: "pill-name", id: "command-name", tabindex: asked.length ? null : "0" },
        `/${leaf.name}`,
      ),
      asked.map((option) => pill(option, now)),
      left > 0 &&
        h(
          "button",
          { type: "button", class: "pill-more", "data-action": "more-options", "data-testid": "command-more" },
          optional(left),
        ),
    ),
    h(
      "button",
      {
        type: "button",
        class: "icon-button send-command",
        "data-action": "send",
        "data-testid": "command-send",
        "aria-label": `Send /${leaf.name}`,
      },
      icon("send"),
    ),
  );
}

/** @param {Option} option @param {Draft} now */
function pill(option, now) {
  const wrong = now.wrong === option.name;
  const numeric = option.type === OPTION.INTEGER ? "numeric" : option.type === OPTION.NUMBER ? "decimal" : null;
  const input = h("input", {
    id: `option-${option.name}`,
    type: "text",
    inputmode: numeric,
    size: 10,
    autocomplete: "off",
    spellcheck: "false",
    placeholder: option.required ? "" : "optional",
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": popup.open && popup.field === option.name ? "true" : "false",
    "aria-controls": "popup",
    "aria-activedescendant": popup.field === option.name ? activeId() : null,
    "aria-required": option.required ? "true" : null,
    "aria-invalid": wrong ? "true" : null,
    "aria-description": option.description,
    "data-option": option.name,
    "data-testid": `command-option-${option.name}`,
  });
  return h(
    "label",
    { class: `pill${wrong ? " wrong" : ""}`, "data-key": option.name },
    h("span", null, option.name),
    input,
  );
}

const activeId = () => (popup.open && popup.active >= 0 ? `suggestion-${popup.active}` : null);

/** @param {Suggestion[]} list */
function popupBox(list) {
  const now = draft();
  const open = popup.open && (list.length > 0 || Boolean(now.leaf));
  const box = h("div", {
    class: "popup",
    "data-key": "popup",
    hidden: !open && !now.error,
    "data-testid": "command-picker",
  });
  if (now.error) box.append(h("p", { class: "popup-error", role: "alert", "data-testid": "command-error" }, now.error));
  if (open)
    box.append(
      popupHead(now),
      h(
        "ul",
        { id: "popup", role: "listbox", "aria-label": now.leaf ? "Choices" : "Commands" },
        list.map(suggestionRow),
      ),
    );
  return box;
}

/** @param {Draft} now */
function popupHead(now) {
  const option = now.leaf?.options.find((one) => one.name === popup.field);
  if (!now.leaf) return h("p", { class: "popup-head" }, "Commands");
  if (!option) return h("p", { class: "popup-head" }, now.leaf.description);
  return h(
    "p",
    { class: "popup-head" },
    h("strong", null, option.name),
    ` ${option.description}${bounds(option)}`,
    popup.loading && " · asking the bot…",
  );
}

/** @param {Option} option */
function bounds(option) {
  if (option.min_value === undefined && option.max_value === undefined) return "";
  return ` (${option.min_value ?? "…"}–${option.max_value ?? "…"})`;
}

/** @param {Suggestion} one @param {number} at */
function suggestionRow(one, at) {
  return h(
    "li",
    {
      id: `suggestion-${at}`,
      role: "option",
      class: `suggestion${at === popup.active ? " active" : ""}`,
      "aria-selected": at === popup.active ? "true" : "false",
      "data-action": "pick-suggestion",
      "data-at": at,
      "data-testid": one.testid,
    },
    h("span", { class: one.strong ? "suggestion-name strong" : "suggestion-name" }, one.label),
    h("span", { class: "suggestion-detail" }, one.detail),
  );
}

/** @param {string} text */
function syncText(text) {
  const input = textInput();
  if (!input) return;
  if (input.value !== text) input.value = text;
  input.style.height = "auto";
  input.style.height = `${Math.min(input.scrollHeight, 180)}px`;
}

/** @param {string} name @param {string} text */
function syncField(name, text) {
  const input = fieldInput(name);
  if (input && input.value !== text) input.value = text;
}

export const textInput = () => /** @type {HTMLTextAreaElement | null} */ (document.getElementById("composer-input"));

/** @param {string} name */
export const fieldInput = (name) => /** @type {HTMLInputElement | null} */ (document.getElementById(`option-${name}`));
