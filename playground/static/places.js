/** How channels and threads are shown: their icons, and their names in a line of text. */

import { h, icon } from "./dom.js";
import { TYPE, channelName, isDm, isThread } from "./state.js";

/** @typedef {import("./state.js").Channel} Channel */

/** The icon before the name of a channel or thread. @param {Channel} channel */
export function placeMark(channel) {
  if (isThread(channel)) return icon("thread");
  if (channel.type === TYPE.VOICE) return icon("voice");
  if (channel.type === TYPE.NEWS) return icon("news");
  return h("span", { class: "hash", "aria-hidden": "true" }, "#");
}

/** A channel in a line of text: `#games`, `“a thread”`, `snug`. @param {Channel} channel */
export function placeWords(channel) {
  const name = channelName(channel);
  if (isDm(channel)) return `@${name}`;
  if (isThread(channel)) return `“${name}”`;
  return channel.type === TYPE.VOICE ? name : `#${name}`;
}
