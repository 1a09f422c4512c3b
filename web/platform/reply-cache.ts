import { readJson } from './kept.ts'

const PREFIX = 'gatehouse.reply:'

/** Milliseconds a kept reply is good for: long enough for a visit's clicks, short enough for a change to be seen. */
const KEPT_MS = 5 * 60 * 1000

type Kept = { at: number; data: unknown }

/**
 * Replies of reading calls that change rarely, kept for the tab. The key holds the user, so that no one ever sees what
 * another person's session was answered; login, logout and a lost session wipe everything.
 */
export function keptReply(owner: string, address: string): { data: unknown } | null {
  const kept = readJson<Kept>(sessionStorage, `${PREFIX}${owner}:${address}`)
  if (!kept || Date.now() - kept.at > KEPT_MS || kept.at > Date.now()) return null
  return kept
}

export function keepReply(owner: string, address: string, data: unknown): void {
  try {
    sessionStorage.setItem(`${PREFIX}${owner}:${address}`, JSON.stringify({ at: Date.now(), data } satisfies Kept))
  } catch {
    // A full store costs a request, nothing more.
  }
}

export function forgetReplies(): void {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(PREFIX)) sessionStorage.removeItem(name)
}
