import { interrupt, resume } from './interruption.ts'
import { isRefusal } from './refusal.ts'

/** Milliseconds after which a chunk that does not arrive counts as lost (specification, section 9). */
const CHUNK_TIMEOUT_MS = 120_000
/** At most one reload in this time: a server that lacks a file must not cause endless reloads. */
const MIN_RELOAD_INTERVAL_MS = 5 * 60_000
const PROBE_TIMEOUT_MS = 10_000
const RELOADED_AT_KEY = 'gatehouse.reloaded-at'

/** A chunk of the application could not be loaded. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError'
}

/** Does the server answer with pages? Where it does not, a reload would end on the browser's own error page. */
async function isServerReachable(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS)
    return (await fetch(location.href, { method: 'HEAD', cache: 'no-store', signal })).ok
  } catch {
    return false
  }
}

/**
 * Loads a lazy part. A release since this page was opened is the usual cause of a failure: reload once by itself, then ask. Without a
 * network the page stays as it is and offers to try again; the part comes once the server answers, and nothing typed is lost.
 */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await withTimeout(load())
  } catch (cause) {
    if (!(await isServerReachable())) {
      await untilTriedAgain()
      return await loadChunk(load)
    }
    if (reloadOnce()) return new Promise<never>(() => {})
    interrupt({ kind: 'broken' })
    throw new ChunkLoadError('a part of the application could not be loaded', { cause })
  }
}

/**
 * Reads what has to be known before something opens. Without a network it waits as a lazy part does, so that one click is enough; but only
 * as long as the dialog says so, and the page that asked is shown: nothing may open later on another page.
 * @param signal aborted when that page goes away
 * @throws what `read` throws, also when the dialog is closed
 */
export async function untilAnswered<T>(read: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    const answer = await read()
    signal?.throwIfAborted()
    return answer
  } catch (error) {
    if (!isRefusal(error, 'network.unreachable') || (await isServerReachable())) throw error
    signal?.throwIfAborted()
    await untilTriedAgain({ error, signal })
    return await untilAnswered(read, signal)
  }
}

/** @returns false: this page was reloaded just now. */
function reloadOnce(): boolean {
  const reloadedAt = Number(sessionStorage.getItem(RELOADED_AT_KEY)) || 0
  if (Date.now() - reloadedAt <= MIN_RELOAD_INTERVAL_MS) return false
  sessionStorage.setItem(RELOADED_AT_KEY, String(Date.now()))
  location.reload()
  return true
}

/** What a lost network kept away: each is asked for again once the server answers. `giveUp`: what was clicked, rather than what is shown. */
type LostPart = { again: () => void; giveUp: (() => void) | null }
const lostParts = new Set<LostPart>()

function untilTriedAgain(clicked?: { error: unknown; signal: AbortSignal | undefined }): Promise<void> {
  // The browser knows when the network is back, also when the dialog was closed.
  addEventListener('online', tryAfterReturn)
  return new Promise((again, reject) => {
    const giveUp = (error: unknown) => {
      if (!lostParts.delete(part)) return
      if (lostParts.size === 0) resume('offline')
      reject(error)
    }
    const part: LostPart = { again, giveUp: clicked ? () => giveUp(clicked.error) : null }
    lostParts.add(part)
    const signal = clicked?.signal
    signal?.addEventListener('abort', () => giveUp(signal.reason), { once: true })
    interrupt({ kind: 'offline' })
  })
}

/** Closes the dialog about the lost network: what was clicked does not happen any more; what the page shows still comes. */
export function closeOffline(): void {
  resume('offline')
  for (const { giveUp } of lostParts) giveUp?.()
}

/** Asks once more for what a lost network kept away. False: nothing answers yet. */
export async function tryLostPartsAgain(): Promise<boolean> {
  if (!(await isServerReachable())) return false
  const hasStyles = await fetchLostStyles()
  if (!hasStyles && !(await isServerReachable())) return false
  resume('offline')
  // The server answers, and has the style sheet no longer: a newer release.
  if (!hasStyles && reloadOnce()) return true
  const parts = [...lostParts]
  lostParts.clear()
  for (const { again } of parts) again()
  if (!hasStyles) interrupt({ kind: 'broken' })
  return true
}

const tryAfterReturn = () => void (lostParts.size > 0 && tryLostPartsAgain())

/** Before a navigation: what was lost comes now, or the page says once more that nothing answers. */
export async function recoverLostParts(): Promise<void> {
  // What was clicked is given up with its page.
  if (lostParts.size > 0 && !(await tryLostPartsAgain()) && lostParts.size > 0) interrupt({ kind: 'offline' })
}

/** A style sheet is asked for once, with the first try of its part; one that did not come has no rules. @returns whether all came. */
async function fetchLostStyles(): Promise<boolean> {
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')
  const tries = await Promise.allSettled([...links].filter((link) => !hasCome(link)).map(fetchStyle))
  return tries.every(({ status }) => status === 'fulfilled')
}

function hasCome({ sheet }: HTMLLinkElement): boolean {
  try {
    return sheet?.cssRules !== undefined
  } catch {
    // Without a network Chromium has a sheet whose rules can't be read.
    return false
  }
}

function fetchStyle(lost: HTMLLinkElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = lost.cloneNode() as HTMLLinkElement
    link.onload = () => resolve()
    link.onerror = () => reject(new ChunkLoadError(`${link.href} did not come`))
    lost.replaceWith(link)
  })
}

function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError('timed out')), CHUNK_TIMEOUT_MS)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}
