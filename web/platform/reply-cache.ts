import { readStoredJson } from './browser-storage.ts'

const KEY_PREFIX = 'gatehouse.reply:'

/** Lifetime of a cached reply in milliseconds: long enough for one visit, short enough to notice changes. */
const MAX_AGE_MS = 5 * 60 * 1000

type CachedReply = { at: number; data: unknown }

/**
 * Replies of read calls that rarely change, cached for the tab. The key contains the user, so that nobody sees another
 * person's answers; login, logout and a lost session clear everything.
 */
export function findCachedReply(owner: string, address: string): { data: unknown } | null {
  const kept = readStoredJson<CachedReply>(sessionStorage, `${KEY_PREFIX}${owner}:${address}`)
  if (!kept || Date.now() - kept.at > MAX_AGE_MS || kept.at > Date.now()) return null
  return kept
}

export function cacheReply(owner: string, address: string, data: unknown): void {
  try {
    sessionStorage.setItem(
      `${KEY_PREFIX}${owner}:${address}`,
      JSON.stringify({ at: Date.now(), data } satisfies CachedReply),
    )
  } catch {
    // A full store only costs a request.
  }
}

const LAST_PREFIX = 'gatehouse.last-reply:'
const MAX_LAST_CHARACTERS = 100_000

type LastReply = { token: string; data: unknown }

/**
 * The last answer in this session, for a new tab to show while the call is in progress: on a slow network that saves
 * half a second. It is bound to the session's token and ends with it.
 */
export function findLastReply(token: string | null, name: string): unknown {
  const kept = readStoredJson<LastReply>(localStorage, LAST_PREFIX + name)
  return kept && kept.token === token ? kept.data : undefined
}

export function keepLastReply(token: string | null, name: string, data: unknown): void {
  if (token === null) return
  const text = JSON.stringify({ token, data } satisfies LastReply)
  try {
    if (text.length > MAX_LAST_CHARACTERS) localStorage.removeItem(LAST_PREFIX + name)
    else localStorage.setItem(LAST_PREFIX + name, text)
  } catch {
    // A full store only costs the time saved.
  }
}

export function clearReplyCache(): void {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(KEY_PREFIX)) sessionStorage.removeItem(name)
  for (const name of Object.keys(localStorage)) if (name.startsWith(LAST_PREFIX)) localStorage.removeItem(name)
}
