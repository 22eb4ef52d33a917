/** Slash commands: which exist, what was typed, and their options in Discord's form. */

import { guildHere, isDm, me, state } from "./state.js";

/**
 * @typedef {{name: string, description: string, type: number, required?: boolean, choices?: {name: string, value: any}[], autocomplete?: boolean, min_value?: number, max_value?: number, min_length?: number, max_length?: number}} Option
 * @typedef {{root: any, path: string[], name: string, description: string, options: Option[]}} Leaf
 * @typedef {{text: string, value?: any, chosen?: string}} Field
 */

export const OPTION = {
  SUB: 1,
  GROUP: 2,
  STRING: 3,
  INTEGER: 4,
  BOOLEAN: 5,
  USER: 6,
  CHANNEL: 7,
  ROLE: 8,
  MENTIONABLE: 9,
  NUMBER: 10,
};
const CHAT_INPUT = 1;
/** The word with which a game's commands open a table. */
const OPENER = "new";
const CONTEXT = { GUILD: 0, BOT_DM: 1 };
const INSTALL = { GUILD: 0 };

/**
 * Every command that can be typed here; subcommands by their full name.
 * @param {import("./state.js").Channel | undefined} channel @returns {Leaf[]}
 */
export function leaves(channel) {
  const usable = state.commands.filter(
    (command) => (command.type ?? CHAT_INPUT) === CHAT_INPUT && fits(command, channel) && allowed(command, channel),
  );
  return usable
    .flatMap((command) => unfold(command, command, [command.name]))
    .sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}

/**
 * Commands that open a table come first, then other commands of games, then those for all, then those for a few.
 * @param {Leaf} leaf
 */
function rank(leaf) {
  if (opens(leaf)) return 0;
  if (leaf.root.options?.some((/** @type {any} */ option) => option.name === OPENER)) return 1;
  return leaf.root.default_member_permissions ? 3 : 2;
}

/** @param {Leaf} leaf */
const opens = (leaf) => leaf.path.length === 2 && leaf.path[1] === OPENER;

/** The commands that open a table here, one per game. @param {import("./state.js").Channel | undefined} channel */
export const openers = (channel) => leaves(channel).filter(opens);

/** @param {any} root @param {any} node @param {string[]} path @returns {Leaf[]} */
function unfold(root, node, path) {
  const options = node.options ?? [];
  const inner = options.filter(
    (/** @type {Option} */ option) => option.type === OPTION.SUB || option.type === OPTION.GROUP,
  );
  if (inner.length) return inner.flatMap((/** @type {any} */ option) => unfold(root, option, [...path, option.name]));
  return [{ root, path, name: path.join(" "), description: node.description ?? "", options }];
}

/** @param {any} command @param {import("./state.js").Channel | undefined} channel */
function fits(command, channel) {
  if (!channel || (command.guild_id && command.guild_id !== channel.guild_id)) return false;
  if (!command.guild_id && hasOwn(channel, command)) return false;
  if (!(command.integration_types ?? [INSTALL.GUILD]).includes(INSTALL.GUILD)) return false;
  if (Array.isArray(command.contexts)) return command.contexts.includes(isDm(channel) ? CONTEXT.BOT_DM : CONTEXT.GUILD);
  return !isDm(channel) || command.dm_permission !== false;
}

/**
 * Whether a server has its own command of that name.
 * @param {import("./state.js").Channel} channel @param {any} command
 */
const hasOwn = (channel, command) =>
  !isDm(channel) && state.commands.some((one) => one.guild_id === channel.guild_id && one.name === command.name);

/** @param {any} command @param {import("./state.js").Channel | undefined} channel */
function allowed(command, channel) {
  const needed = command.default_member_permissions;
  if (!channel || needed === null || needed === undefined || isDm(channel) || me()?.admin.includes(channel.guild_id)) return true;
  const guild = state.guilds.find((one) => one.id === channel.guild_id);
  const everyone = guild?.roles.find((role) => role.id === guild.id);
  return BigInt(needed) !== 0n && (BigInt(everyone?.permissions ?? 0) & BigInt(needed)) === BigInt(needed);
}

/** The commands that start with a typed text, best first. @param {string} text @param {Leaf[]} all */
export function matching(text, all) {
  const typed = text.replace(/^\//, "").trimStart().toLowerCase();
  const exact = leafOf(text, all);
  if (exact) return [exact];
  const starts = all.filter((leaf) => leaf.name.startsWith(typed));
  const holds = all.filter((leaf) => !starts.includes(leaf) && leaf.name.includes(typed.trim()));
  return [...starts, ...holds];
}

/** The command whose full name begins this text. @param {string} text @param {Leaf[]} all */
export function leafOf(text, all) {
  const typed = text.replace(/^\//, "").trim().replace(/\s+/g, " ").toLowerCase();
  const found = all.filter((leaf) => typed === leaf.name || typed.startsWith(`${leaf.name} `));
  return found.sort((a, b) => b.name.length - a.name.length)[0];
}

/**
 * What follows the name, as `option:value`, in any order.
 * @param {string} text @param {Leaf} leaf @returns {Record<string, Field>}
 */
export function parseFields(text, leaf) {
  let rest = text.replace(/^\//, "").trim();
  for (const word of leaf.path) {
    const at = rest.toLowerCase().indexOf(word);
    if (at < 0) return {}; // only begun: the text belongs to the name
    rest = rest.slice(at + word.length);
  }
  const names = leaf.options.map((option) => option.name).sort((a, b) => b.length - a.length);
  if (!names.length) return {};
  const parts = rest.split(new RegExp(`(?:^|\\s)(${names.map(escapeRegExp).join("|")}):`));
  /** @type {Record<string, Field>} */ const fields = {};
  for (let at = 1; at < parts.length; at += 2) fields[parts[at]] = { text: parts[at + 1].trim() };
  const first = leaf.options.find((option) => option.required) ?? leaf.options[0];
  if (parts[0].trim() && !fields[first.name]) fields[first.name] = { text: parts[0].trim() };
  return fields;
}

/** @param {string} text */
const escapeRegExp = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The choices that need no answer from the bot. @param {Option} option @returns {{name: string, value: any}[]} */
export function choicesOf(option) {
  if (option.choices?.length) return option.choices;
  if (option.type === OPTION.BOOLEAN)
    return [
      { name: "True", value: true },
      { name: "False", value: false },
    ];
  if (option.type === OPTION.USER) return people();
  if (option.type === OPTION.ROLE) return roles();
  if (option.type === OPTION.MENTIONABLE) return [...people(), ...roles()];
  if (option.type === OPTION.CHANNEL)
    return [...state.channels.values()]
      .filter((channel) => !isDm(channel) && channel.guild_id === guildHere()?.id)
      .map((channel) => ({ name: channel.name, value: channel.id }));
  return [];
}

const people = () => [
  ...state.people.map((person) => ({ name: person.name, value: person.id })),
  { name: state.bot.name, value: state.bot.id },
];
const roles = () => (guildHere()?.roles ?? []).map((role) => ({ name: role.name, value: role.id }));

/** Discord's words for options that may be left out. @param {number} count */
export const optional = (count) => (count ? `+${count} optional` : "");

/**
 * The options to ask for: required ones, and optional ones that were begun.
 * @param {Leaf} leaf @param {Record<string, Field>} fields
 */
export function askedFor(leaf, fields) {
  return leaf.options.filter((option) => option.required || fields[option.name]);
}

/** The value of one option. @param {Option} option @param {Field} field @returns {any} @throws a sentence */
export function valueOf(option, field) {
  const text = field.text.trim();
  if (field.value !== undefined && field.chosen === field.text) return field.value;
  const choice = choicesOf(option).find(
    (one) => one.name.toLowerCase() === bare(option, text).toLowerCase() || String(one.value) === bare(option, text),
  );
  if (choice) return choice.value;
  if (option.type === OPTION.BOOLEAN && /^(yes|no|on|off)$/i.test(text)) return /^(yes|on)$/i.test(text);
  if (option.choices?.length || (option.type >= OPTION.BOOLEAN && option.type <= OPTION.MENTIONABLE))
    throw new Error(`${option.name}: choose one of the suggestions.`);
  return option.type === OPTION.STRING ? string(option, text) : number(option, text);
}

/** @param {Option} option @param {string} text */
function bare(option, text) {
  return option.type >= OPTION.USER && option.type <= OPTION.MENTIONABLE
    ? text.replace(/^<?[@#][!&]?(.*?)>?$/, "$1")
    : text;
}

/** @param {Option} option @param {string} text */
function string(option, text) {
  if (option.min_length !== undefined && text.length < option.min_length)
    throw new Error(`${option.name}: at least ${option.min_length} characters.`);
  if (option.max_length !== undefined && text.length > option.max_length)
    throw new Error(`${option.name}: at most ${option.max_length} characters.`);
  return text;
}

/** @param {Option} option @param {string} text */
function number(option, text) {
  const value = Number(text);
  if (text === "" || Number.isNaN(value) || (option.type === OPTION.INTEGER && !Number.isInteger(value)))
    throw new Error(`${option.name}: ${option.type === OPTION.INTEGER ? "a whole number" : "a number"}.`);
  if (option.min_value !== undefined && value < option.min_value)
    throw new Error(`${option.name}: at least ${option.min_value}.`);
  if (option.max_value !== undefined && value > option.max_value)
    throw new Error(`${option.name}: at most ${option.max_value}.`);
  return value;
}

/**
 * A command in the form that is sent.
 * @param {Leaf} leaf @param {Record<string, Field>} fields @returns {{name: string, options: any[]}} @throws a sentence
 */
export function compile(leaf, fields) {
  const missing = leaf.options.find((option) => option.required && !fields[option.name]?.text.trim());
  if (missing) throw Object.assign(new Error(`${missing.name} is required.`), { option: missing.name });
  const filled = leaf.options.filter((option) => fields[option.name]?.text.trim());
  return wrap(
    leaf,
    filled.map((option) => ({
      name: option.name,
      type: option.type,
      value: valueOrBlame(option, fields[option.name]),
    })),
  );
}

/** @param {Option} option @param {Field} field */
function valueOrBlame(option, field) {
  try {
    return valueOf(option, field);
  } catch (error) {
    throw Object.assign(/** @type {Error} */ (error), { option: option.name });
  }
}

/** A half-written command, for autocomplete. @param {Leaf} leaf @param {Record<string, Field>} fields @param {string} focused */
export function compileDraft(leaf, fields, focused) {
  const options = [];
  for (const option of leaf.options) {
    if (option.name === focused)
      options.push({ name: option.name, type: option.type, value: fields[focused]?.text ?? "", focused: true });
    else if (fields[option.name]?.text.trim())
      options.push({ name: option.name, type: option.type, value: draftValue(option, fields[option.name]) });
  }
  return wrap(leaf, options);
}

/** @param {Option} option @param {Field} field */
function draftValue(option, field) {
  try {
    return valueOf(option, field);
  } catch {
    return field.text;
  }
}

/** @param {Leaf} leaf @param {any[]} options */
function wrap(leaf, options) {
  let inner = options;
  for (let depth = leaf.path.length - 1; depth > 0; depth -= 1) {
    const type = depth === leaf.path.length - 1 ? OPTION.SUB : OPTION.GROUP;
    inner = [{ name: leaf.path[depth], type, options: inner }];
  }
  return { name: leaf.root.name, options: inner };
}
