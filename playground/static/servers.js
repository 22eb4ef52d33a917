/** The row of servers, at the left of the channels as in Discord; hidden if there is only one. */

import { h } from "./dom.js";
import { channelsOf, guildHere, here, isDm, state, unread, visit } from "./state.js";

/** @typedef {import("./state.js").Guild} Guild */

/** The row of servers, for the list of channels. */
export function rail() {
  if (state.guilds.length < 2) return null;
  return h("ul", { class: "servers", "aria-label": "Servers", "data-testid": "servers" }, state.guilds.map(server));
}

/** @param {Guild} guild */
function server(guild) {
  const { news, calls } = unreadIn(guild);
  const current = guild === guildHere();
  const heard = botStatus(guild.id) === "online";
  const words = [
    guild.name,
    calls ? `${calls} new for you` : news ? "unread messages" : "",
    !heard && `${state.bot.name} is not there`,
  ].filter(Boolean);
  return h(
    "li",
    { "data-key": guild.id, class: `server${current ? " current" : ""}${news ? " fresh" : ""}` },
    h(
      "button",
      {
        type: "button",
        class: "server-disc",
        "aria-current": current ? "true" : null,
        "aria-label": words.join(", "),
        title: words.join(" · "),
        "data-action": "go-server",
        "data-server": guild.id,
        "data-testid": `server-${guild.id}`,
        "data-unread": news,
      },
      h("span", { "aria-hidden": "true" }, initials(guild.name)),
    ),
    calls > 0 && h("span", { class: "count", "aria-hidden": "true" }, Math.min(calls, 99)),
  );
}

/** The initials of its words, as Discord shows a server without a picture. @param {string} name */
const initials = (name) =>
  name
    .split(/\s+/)
    .map((word) => [...word][0] ?? "")
    .slice(0, 3)
    .join("");

/** @param {Guild} guild */
function unreadIn(guild) {
  const sum = { news: 0, calls: 0 };
  for (const channel of channelsOf(state.person).filter((one) => !isDm(one) && one.guild_id === guild.id)) {
    const one = unread(state.person, channel.id);
    sum.news += one.unread;
    sum.calls += one.calls;
  }
  return sum;
}

/** Whether the bot is connected for a server, or (0) for direct messages. @param {string} guildId */
export function botStatus(guildId) {
  if (state.bot.status !== "partly") return state.bot.status;
  return state.bot.unheard?.includes(guildId) ? "offline" : "online";
}

/** Names the servers for which the bot is offline while it is online for others. */
export function unheard() {
  const names = state.guilds.filter((guild) => state.bot.unheard?.includes(guild.id)).map((guild) => guild.name);
  const all = [...names, ...(state.bot.unheard?.includes("0") ? ["direct messages"] : [])];
  return [all.slice(0, -1).join(", "), all.at(-1)].filter(Boolean).join(" and ");
}

/** Go to a server: to the person's last channel there, or to its first one. @param {string} guildId */
export function goServer(guildId) {
  const there = channelsOf(state.person).filter((channel) => !isDm(channel) && channel.guild_id === guildId);
  const last = state.rooms[state.person]?.[guildId];
  const channel = there.find((one) => one.id === last) ?? there.find((one) => one.type === 0);
  if (channel && channel !== here()) visit(state.person, channel);
  else if (!channel) state.servers[state.person] = guildId;
}
