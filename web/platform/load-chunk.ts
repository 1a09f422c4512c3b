import { interrupt } from './interruption.ts'

/** Milliseconds after which a part of the application that does not arrive counts as lost (specification, section 9). */
const CHUNK_TIMEOUT_MS = 120_000
/** A new release is met at most once in this time; a server that lacks a file must not make the page reload for ever. */
const MIN_RELOAD_INTERVAL_MS = 5 * 60_000
const PROBE_TIMEOUT_MS = 10_000
const RELOADED_AT_KEY = 'gatehouse.reloaded-at'

/** A part of the application could not be loaded. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError'
}

/** Does the server answer with pages? Where it does not, a reload would end on the browser's own error page. */
export async function isServerReachable(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS)
    return (await fetch(location.href, { method: 'HEAD', cache: 'no-store', signal })).ok
  } catch {
    return false
  }
}

/**
 * Loads a lazy part. A release since this page was opened is the usual cause of a failure: reload once by itself, then ask. Without a
 * network the page stays as it is and offers to try again; the promise stays open.
 */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await withTimeout(load())
  } catch (cause) {
    if (!(await isServerReachable())) {
      isPartLost = true
      interrupt({ kind: 'offline' })
      return new Promise<never>(() => {})
    }
    const reloadedAt = Number(sessionStorage.getItem(RELOADED_AT_KEY)) || 0
    if (Date.now() - reloadedAt > MIN_RELOAD_INTERVAL_MS) {
      sessionStorage.setItem(RELOADED_AT_KEY, String(Date.now()))
      location.reload()
      return new Promise<never>(() => {})
    }
    interrupt({ kind: 'broken' })
    throw new ChunkLoadError('a part of the application could not be loaded', { cause })
  }
}

/** A part is awaited that a lost network kept away, and the browser may not ask for it again. */
let isPartLost = false

/** Before a navigation: what was lost comes with a reload, or the page says once more that nothing answers. */
export async function recoverLostPart(): Promise<void> {
  if (!isPartLost) return
  if (await isServerReachable()) location.reload()
  else interrupt({ kind: 'offline' })
}

function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError('timed out')), CHUNK_TIMEOUT_MS)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}
