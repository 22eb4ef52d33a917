/** The connection to the server: a WebSocket for frames, and POST requests for actions. */

import { state, pendingKey } from "./state.js";

/** @typedef {{onFrame: (frame: any) => void, onStatus: (connected: boolean) => void}} Listener */

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 8000;

/** Connect, and reconnect with growing pauses when the connection is lost. @param {Listener} listener */
export function connect(listener) {
  let wait = FIRST_WAIT_MS;
  const open = () => {
    const socket = new WebSocket(new URL("/play/events", location.href.replace(/^http/, "ws")));
    socket.addEventListener("open", () => {
      wait = FIRST_WAIT_MS;
      listener.onStatus(true);
    });
    socket.addEventListener("message", (event) => listener.onFrame(JSON.parse(event.data)));
    socket.addEventListener("close", () => {
      listener.onStatus(false);
      setTimeout(open, wait);
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    });
  };
  open();
}

/** @param {string} path @param {unknown} body @returns {Promise<any>} rejects with a sentence */
async function post(path, body) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => null);
  if (!response) throw new Error("The playground's server does not respond.");
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error ?? `The server answered ${response.status}.`);
  return answer;
}

/** Perform an action as a person. @param {Record<string, any>} action @param {string} [person] */
export function act(action, person = state.person) {
  return post("/play/act", { person, ...action });
}

/** @param {Record<string, any>} fault */
export function setFault(fault) {
  return post("/play/fault", fault);
}

/** @param {number} since @returns {Promise<any[]>} */
export async function fetchLog(since) {
  const response = await fetch(`/play/requests?since=${since}`);
  const answer = await response.json();
  return Array.isArray(answer) ? answer : (answer.requests ?? answer.log ?? []);
}

/**
 * Perform an action that the bot must answer; until then it counts as pending.
 * @param {Record<string, any>} action @param {() => void} changed
 */
export async function interact(action, changed) {
  const person = state.person;
  const key = pendingKey(person, action.message_id, action.custom_id ?? `/${action.name}`);
  if (state.pending.has(key)) return;
  const entry = {
    person,
    key,
    channel_id: action.channel_id,
    message_id: action.message_id,
    custom_id: action.custom_id,
    name: action.label,
    since: Date.now(),
  };
  state.pending.set(key, entry);
  state.failed.delete(`${person}|${action.message_id}`);
  changed();
  const { label: _, ...sent } = action;
  try {
    const answer = await act(sent, person);
    adopt(key, entry, answer.interaction_id);
    changed();
  } catch (error) {
    state.pending.delete(key);
    changed();
    throw error;
  }
  setTimeout(() => forget(key, changed), 6000);
}

/**
 * Frames may arrive before the answer to the POST: merge what both say about the interaction.
 * @param {string} key @param {any} entry @param {string | undefined} id
 */
function adopt(key, entry, id) {
  const early = [...state.pending.values()].find((one) => one.id === id && one.key !== key);
  if (early) state.pending.delete(early.key);
  if (id && state.finished.has(id)) state.pending.delete(key);
  else if (state.pending.has(key)) state.pending.set(key, { ...entry, id });
}

/** @param {string} key @param {() => void} changed */
function forget(key, changed) {
  if (state.pending.delete(key)) changed();
}
