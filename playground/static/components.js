/** Turns Discord's components into DOM, by their type number. app.js handles clicks. */

import { h, icon } from "./dom.js";
import { customEmoji, inline, markdown, placeOf } from "./markdown.js";
import { placeMark } from "./places.js";
import { guildHere, isOut, isPending, state } from "./state.js";

/** @typedef {import("./dom.js").Child} Child */
/** @typedef {{message: import("./state.js").Message, person: string}} Context */
/** @typedef {(component: any, context: Context) => Child} Renderer */

const BUTTON_STYLES = ["", "primary", "secondary", "success", "danger", "link", "secondary"];

/** @type {Record<number, Renderer>} */
const RENDERERS = {
  1: (row, context) => h("div", { class: "action-row" }, renderAll(row.components, context)),
  2: button,
  3: select,
  5: select,
  6: select,
  7: select,
  8: select,
  9: section,
  10: (text) => h("div", { class: "text markdown" }, markdown(text.content ?? "")),
  11: (thumb) => picture(thumb, "thumbnail"),
  12: gallery,
  13: fileComponent,
  14: (line) =>
    h("hr", { class: `separator spacing-${line.spacing ?? 1}${line.divider === false ? " invisible" : ""}` }),
  17: container,
};

/** @param {any[] | undefined} components @param {Context} context @returns {Child[]} */
export function renderAll(components, context) {
  return (components ?? []).map((component) => render(component, context));
}

/** @param {any} component @param {Context} context @returns {Child} */
export function render(component, context) {
  const renderer = RENDERERS[component.type];
  return renderer
    ? renderer(component, context)
    : h("p", { class: "unknown" }, `[component of type ${component.type}]`);
}

/** @param {any} box @param {Context} context */
function container(box, context) {
  const colour = typeof box.accent_color === "number" ? { "--accent-bar": hex(box.accent_color) } : null;
  const body = h(
    "div",
    { class: `container${colour ? " accented" : ""}`, vars: colour },
    renderAll(box.components, context),
  );
  return box.spoiler ? veiled(body, "container-veil") : body;
}

/** @param {number} colour */
export const hex = (colour) => `#${colour.toString(16).padStart(6, "0")}`;

/** @param {any} part @param {Context} context */
function section(part, context) {
  return h(
    "div",
    { class: "section" },
    h("div", { class: "section-text" }, renderAll(part.components, context)),
    h("div", { class: "accessory" }, part.accessory && render(part.accessory, context)),
  );
}

/** @param {any} emoji @returns {Child} */
export function emojiOf(emoji) {
  if (!emoji) return null;
  if (emoji.id) return customEmoji(emoji.id, emoji.name, true);
  return h("span", { class: "emoji", "aria-hidden": "true" }, emoji.name);
}

/** @param {any} item @param {Context} context */
function button(item, context) {
  const content = [emojiOf(item.emoji), item.label && h("span", { class: "label" }, item.label)];
  if (item.style === 5) return linkButton(item, content);
  const pending = isPending(context.person, context.message.id, item.custom_id);
  const props = {
    type: "button",
    class: `button ${BUTTON_STYLES[item.style] ?? "secondary"}${pending ? " pending" : ""}`,
    disabled: item.disabled,
    "aria-busy": pending ? "true" : null,
    "aria-label": item.label ? null : item.emoji?.name,
    "data-key": item.custom_id,
    "data-custom-id": item.custom_id,
    "data-action": "component-click",
  };
  return h("button", props, content, pending && h("span", { class: "spinner", "aria-hidden": "true" }));
}

/** @param {any} item @param {Child[]} content */
function linkButton(item, content) {
  const place = placeOf(item.url ?? "");
  if (place)
    return h(
      "button",
      {
        type: "button",
        class: "button link-button",
        disabled: item.disabled,
        "data-action": "go",
        "data-channel": place.channel,
        "data-message": place.message,
      },
      content,
      h("span", { "aria-hidden": "true" }, " ›"),
    );
  return h(
    "a",
    { class: "button link-button", href: safeUrl(item.url), target: "_blank", rel: "noopener noreferrer" },
    content,
    h("span", { "aria-hidden": "true" }, " ↗"),
  );
}

/**
 * Accept only addresses that cannot run code; make the server's own relative, so that any loopback name works.
 * @param {string | undefined} url
 */
export function safeUrl(url) {
  try {
    const parsed = new URL(url ?? "", location.href);
    if (/^\/(attachments|avatars|static)\//.test(parsed.pathname) && isLoopback(parsed.hostname))
      return parsed.pathname + parsed.search;
    return /^https?:$/.test(parsed.protocol) ? parsed.href : "#";
  } catch {
    return "#";
  }
}

/** @param {string} host */
const isLoopback = (host) => host === location.hostname || /^(localhost|127\.[\d.]+|\[::1\])$/.test(host);

const SELECT_WORDS = /** @type {Record<number, string>} */ ({
  3: "Make a choice",
  5: "Choose people",
  6: "Choose roles",
  7: "Choose people or roles",
  8: "Choose channels",
});

/**
 * The options of a select, whatever its type.
 * @param {any} component @returns {{value: string, label: string, description?: string, emoji?: any,
 *   default?: boolean}[]}
 */
export function optionsOf(component) {
  if (component.type === 3) return component.options ?? [];
  const chosen = new Set((component.default_values ?? []).map((/** @type {any} */ one) => String(one.id)));
  return entities(component).map((entity) => ({ ...entity, default: chosen.has(entity.value) }));
}

/** @param {any} component @returns {{value: string, label: string, description?: string}[]} */
function entities(component) {
  const guild = guildHere();
  const people = [
    ...state.people
      .filter((person) => !isOut(person, guild?.id))
      .map((person) => ({ value: person.id, label: person.name, description: person.username })),
    { value: state.bot.id, label: state.bot.name, description: "the bot" },
  ];
  const roles = (guild?.roles ?? []).map((role) => ({ value: role.id, label: `@${role.name.replace(/^@/, "")}` }));
  if (component.type === 5) return people;
  if (component.type === 6) return roles;
  if (component.type === 7) return [...people, ...roles];
  const types = component.channel_types ?? [];
  const channels = [...state.channels.values()].filter(
    (channel) => channel.type !== 1 && channel.guild_id === guild?.id && (!types.length || types.includes(channel.type)),
  );
  return channels.map((channel) => ({ value: channel.id, label: channel.name, place: channel }));
}

/** The icon before an option. @param {any} option */
export const markOf = (option) => (option.place ? placeMark(option.place) : emojiOf(option.emoji));

/** @param {any} component */
export const placeholderOf = (component) => component.placeholder || SELECT_WORDS[component.type];

/** @param {any} component @param {Context} context */
function select(component, context) {
  const pending = isPending(context.person, context.message.id, component.custom_id);
  const chosen = optionsOf(component).filter((option) => option.default);
  return selectButton(
    component,
    chosen,
    {
      "data-action": "open-select",
      "data-key": component.custom_id,
      "data-custom-id": component.custom_id,
      "aria-busy": pending ? "true" : null,
      class: `select${pending ? " pending" : ""}`,
    },
    pending,
  );
}

/**
 * The closed box of a select, in a message or in a form.
 * @param {any} component @param {any[]} chosen @param {Record<string, any>} props @param {boolean} [pending]
 */
export function selectButton(component, chosen, props, pending = false) {
  const label = chosen.length
    ? chosen.map((option) => h("span", { class: "chosen" }, markOf(option), option.label))
    : h("span", { class: "placeholder" }, placeholderOf(component));
  const name = chosen.length
    ? `${placeholderOf(component)}: ${chosen.map((option) => option.label).join(", ")}`
    : placeholderOf(component);
  return h(
    "button",
    {
      type: "button",
      disabled: component.disabled,
      "aria-haspopup": "listbox",
      "aria-expanded": "false",
      "aria-label": name,
      ...props,
    },
    h("span", { class: "select-value" }, label),
    pending ? h("span", { class: "spinner", "aria-hidden": "true" }) : icon("chevron"),
  );
}

/** @param {any} grid */
function gallery(grid) {
  const items = grid.items ?? [];
  return h(
    "div",
    { class: "gallery", "data-count": Math.min(items.length, 5) },
    items.map((/** @type {any} */ item) => picture(item, "gallery-picture")),
  );
}

/** @param {any} item @param {string} className */
function picture(item, className) {
  const opener = image(item.media ?? {}, item.description ?? "", className);
  return item.spoiler ? veiled(opener, "picture-veil") : opener;
}

/** @param {any} media @param {string} alt @param {string} className */
export function image(media, alt, className) {
  const src = safeUrl(media.url);
  const img = h("img", {
    src,
    alt: alt || "picture without a description",
    width: media.width,
    height: media.height,
    loading: "eager",
    decoding: "async",
    draggable: "false",
  });
  return h(
    "button",
    {
      type: "button",
      class: `picture ${className}`,
      "data-action": "enlarge",
      "data-src": src,
      "data-alt": alt,
      "aria-label": `Enlarge: ${alt || "picture"}`,
    },
    img,
  );
}

/**
 * Hidden until the person reveals it, also for keyboards and screen readers.
 * @param {HTMLElement} inner @param {string} className
 */
function veiled(inner, className) {
  const cover = h(
    "button",
    { type: "button", class: "veil-cover", "data-action": "reveal-veil", "aria-label": "Spoiler, press to show" },
    h("span", null, "Spoiler"),
  );
  return h("div", { class: `veil ${className}` }, h("div", { class: "veil-inner" }, inner), cover);
}

/** @param {any} part */
function fileComponent(part) {
  const row = fileLink({ url: part.file?.url ?? "", filename: part.name ?? "file", size: part.size });
  return part.spoiler ? veiled(row, "file-veil") : row;
}

/** @param {{url: string, filename: string, size?: number}} file */
export function fileLink(file) {
  return h(
    "a",
    { class: "file", href: safeUrl(file.url), download: file.filename, "data-testid": `file-${file.filename}` },
    icon("file"),
    h(
      "span",
      { class: "file-text" },
      h("span", { class: "file-name" }, file.filename),
      h("span", { class: "file-size" }, size(file.size)),
    ),
  );
}

/** @param {number | undefined} bytes */
function size(bytes) {
  if (bytes === undefined) return "";
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1048576 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1048576).toFixed(1)} MB`;
}

/** @param {any} embed */
export function renderEmbed(embed) {
  const colour = typeof embed.color === "number" ? { "--accent-bar": hex(embed.color) } : null;
  const title =
    embed.title &&
    h(
      "div",
      { class: "embed-title" },
      embed.url
        ? h("a", { href: safeUrl(embed.url), target: "_blank", rel: "noopener noreferrer" }, inline(embed.title))
        : inline(embed.title),
    );
  const fields = (embed.fields ?? []).map((/** @type {any} */ field) =>
    h(
      "div",
      { class: `embed-field${field.inline ? " inline" : ""}` },
      h("div", { class: "embed-field-name" }, inline(field.name ?? "")),
      h("div", { class: "markdown" }, markdown(field.value ?? "")),
    ),
  );
  return h(
    "div",
    { class: "embed", vars: colour },
    embed.author?.name && h("div", { class: "embed-author" }, embed.author.name),
    title,
    embed.description && h("div", { class: "markdown" }, markdown(embed.description)),
    fields.length > 0 && h("div", { class: "embed-fields" }, fields),
    embed.image?.url && image(embed.image, embed.image.description ?? "", "embed-image"),
    embed.footer?.text && h("div", { class: "subtext" }, embed.footer.text),
  );
}

/**
 * Every component of a tree, outer ones before inner ones.
 * @param {any[] | undefined} components @returns {Generator<any>}
 */
export function* walk(components) {
  for (const component of components ?? []) {
    yield component;
    yield* walk(component.components);
    if (component.component) yield* walk([component.component]);
    if (component.accessory) yield* walk([component.accessory]);
  }
}
