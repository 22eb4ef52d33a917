/** One message as a row of the list. */

import { emojiOf, fileLink, image, render, renderAll, renderEmbed, walk } from "./components.js";
import { h, icon } from "./dom.js";
import { inline, markdown, plain } from "./markdown.js";
import { avatar } from "./people.js";
import { callsFor, findMessage, FLAG, here, isDm, isEphemeral, me, state, userName } from "./state.js";

/** @typedef {import("./state.js").Message} Message */
/** @typedef {import("./state.js").Channel} Channel */
/** @typedef {import("./dom.js").Child} Child */

/** The types of messages that people write; the others come from the system. */
export const WRITTEN_TYPES = new Set([0, 19, 20, 23]);

/** @param {Message} message */
export const authorName = (message) =>
  message.member?.nick ?? message.author?.global_name ?? userName(message.author?.id ?? "") ?? message.author?.username;

/** @param {Message} message @param {boolean} grouped @returns {HTMLElement} */
export function messageRow(message, grouped) {
  const classes = [
    "message",
    grouped && "grouped",
    isEphemeral(message) && "ephemeral",
    callsFor(message, state.person) && !isDm(/** @type {Channel} */ (here())) && "calls-me",
  ];
  const props = {
    class: classes.filter(Boolean).join(" "),
    "data-key": `message-${message.id}`,
    "data-testid": `message-${message.id}`,
    "data-message-id": message.id,
    "data-author-id": message.author?.id,
    tabindex: "-1",
  };
  if (!WRITTEN_TYPES.has(message.type ?? 0)) return h("li", props, systemLine(message));
  const body = h("div", { class: "message-body" }, !grouped && header(message), content(message), notes(message));
  const margin = grouped
    ? h("time", { class: "margin-time", datetime: message.timestamp, "aria-hidden": "true" }, clock(message.timestamp))
    : avatar(message.author?.id, authorName(message), message.author?.bot);
  return h(
    "li",
    props,
    !grouped && [commandLine(message), replyLine(message)],
    h("div", { class: "message-row" }, h("div", { class: "message-margin" }, margin), body),
    mayDelete(message) &&
      h(
        "button",
        {
          type: "button",
          class: "delete",
          "data-action": "delete-message",
          "data-message": message.id,
          "data-testid": `delete-${message.id}`,
        },
        "Delete",
      ),
  );
}

/** @param {Message} message */
function mayDelete(message) {
  return (
    !isEphemeral(message) &&
    (message.author?.id === state.person || (me()?.admin && !isDm(/** @type {Channel} */ (here()))))
  );
}

/** @param {Message} message */
function header(message) {
  const bot = message.author?.bot ?? message.author?.id === state.bot.id;
  return h(
    "div",
    { class: "message-header" },
    h("span", { class: "author" }, authorName(message)),
    bot && h("span", { class: "tag" }, "APP"),
    h(
      "time",
      { class: "time", datetime: message.timestamp, title: new Date(message.timestamp).toLocaleString() },
      when(message.timestamp),
    ),
  );
}

/** @param {string} iso */
const clock = (iso) => new Date(iso).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });

/** @param {string} iso */
function when(iso) {
  const today = new Date(iso).toDateString() === new Date().toDateString();
  return today ? clock(iso) : `${new Date(iso).toLocaleDateString()} ${clock(iso)}`;
}

/** @param {Message} message */
function commandLine(message) {
  const meta = message.interaction_metadata;
  if (meta?.type !== 2 || !message.interaction) return null; // a further answer stands below the first one
  const who = meta.user?.id ?? message.interaction.user?.id;
  return h(
    "div",
    { class: "above" },
    h("span", { class: "who" }, userName(who)),
    " used ",
    h("span", { class: "mention" }, `/${message.interaction.name}`),
  );
}

/** @param {Message} message */
function replyLine(message) {
  const id = message.message_reference?.message_id;
  if (!id || message.type !== 19) return null;
  const other =
    message.referenced_message ?? findMessage(message.message_reference.channel_id ?? message.channel_id, id);
  const text = other
    ? [h("span", { class: "who" }, authorName(other)), " ", summary(other)]
    : "Original message was deleted";
  return h(
    "button",
    {
      type: "button",
      class: "above reply",
      "data-action": "go",
      "data-channel": message.channel_id,
      "data-message": id,
    },
    text,
  );
}

/** @param {Message} message @returns {Child} */
function content(message) {
  if ((message.flags ?? 0) & FLAG.LOADING)
    return h(
      "p",
      { class: "thinking" },
      h("span", { class: "spinner", "aria-hidden": "true" }),
      `${authorName(message)} is thinking…`,
    );
  const context = { message, person: state.person };
  if ((message.flags ?? 0) & FLAG.COMPONENTS_V2)
    return h("div", { class: "components v2" }, renderAll(message.components, context));
  return [
    message.content &&
      h(
        "div",
        { class: `markdown${onlyEmoji(message.content) ? " jumbo" : ""}` },
        markdown(message.content),
        message.edited_timestamp &&
          h("span", { class: "edited", title: new Date(message.edited_timestamp).toLocaleString() }, " (edited)"),
      ),
    (message.embeds ?? []).map(renderEmbed),
    (message.attachments ?? []).map(attachment),
    (message.components ?? []).length > 0 &&
      h(
        "div",
        { class: "components" },
        message.components.map((/** @type {any} */ row) => render(row, context)),
      ),
    (message.reactions ?? []).length > 0 &&
      h(
        "div",
        { class: "reactions" },
        message.reactions.map((/** @type {any} */ one) =>
          h("span", { class: "reaction" }, emojiOf(one.emoji), ` ${one.count}`),
        ),
      ),
  ];
}

/** @param {string} text */
const onlyEmoji = (text) => /^(\p{Extended_Pictographic}\uFE0F?\s*){1,9}$/u.test(text);

/** @param {any} file */
function attachment(file) {
  const isPicture = file.content_type?.startsWith("image/") || /\.(png|jpe?g|gif|webp)$/i.test(file.filename ?? "");
  return isPicture ? image(file, file.description ?? file.filename, "attachment") : fileLink(file);
}

/** @param {Message} message @returns {Child} */
function notes(message) {
  return [
    state.failed.has(`${state.person}|${message.id}`) &&
      h("p", { class: "failed", role: "alert", "data-testid": "interaction-failed" }, "This interaction failed"),
    isEphemeral(message) &&
      h(
        "p",
        { class: "only-you", "data-testid": "ephemeral-note" },
        "Only you can see this · ",
        h(
          "button",
          {
            type: "button",
            class: "link",
            "data-action": "dismiss",
            "data-message": message.id,
            "data-testid": `dismiss-${message.id}`,
          },
          "Dismiss message",
        ),
      ),
  ];
}

/** @param {Message} message */
function systemLine(message) {
  const name = h("strong", null, authorName(message));
  const thread = state.channels.get(message.message_reference?.channel_id);
  if (message.type === 18)
    return h(
      "p",
      { class: "system" },
      icon("thread"),
      name,
      " started a thread: ",
      thread
        ? h(
            "button",
            { type: "button", class: "mention", "data-action": "go", "data-channel": thread.id },
            message.content,
          )
        : h("strong", null, message.content),
    );
  if (message.type === 6) return h("p", { class: "system" }, name, " pinned a message.");
  if (message.type === 7) return h("p", { class: "system" }, name, " joined the server.");
  return h("p", { class: "system" }, name, " ", inline(message.content || "changed something."));
}

/** A command that got no answer. @param {any} failed @param {string} key @returns {HTMLElement} */
export function failedCommand(failed, key) {
  return h(
    "li",
    { class: "message ephemeral", "data-key": key, "data-testid": "command-failed" },
    h(
      "div",
      { class: "message-row" },
      h("div", { class: "message-margin" }, avatar(state.bot.id, state.bot.name, true)),
      h(
        "div",
        { class: "message-body" },
        h(
          "div",
          { class: "message-header" },
          h("span", { class: "author" }, state.bot.name),
          h("span", { class: "tag" }, "APP"),
        ),
        h(
          "p",
          { class: "failed", role: "alert" },
          failed.name ? `${failed.name}: the application did not respond` : "The application did not respond",
        ),
        h(
          "p",
          { class: "only-you" },
          "Only you can see this · ",
          h(
            "button",
            { type: "button", class: "link", "data-action": "dismiss-failed", "data-id": failed.id },
            "Dismiss message",
          ),
        ),
      ),
    ),
  );
}

/** A message as one line of plain text. @param {Message} message */
export function summary(message) {
  const texts = [
    message.content,
    ...[...walk(message.components)].filter((one) => one.type === 10).map((one) => one.content),
  ];
  const alts = [...walk(message.components)].flatMap((one) => one.items ?? []).map((item) => item.description);
  const files = (message.attachments ?? []).map((/** @type {any} */ file) => file.description ?? file.filename);
  const words = [...texts, ...alts, ...(texts.some(Boolean) ? [] : files)].filter(Boolean).map(plain).join(" ");
  return words.length > 200 ? `${words.slice(0, 199)}…` : words || "a message";
}
