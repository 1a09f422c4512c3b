import { interrupt } from './interruption.ts'

/** Milliseconds after which a part of the application that does not arrive counts as lost (specification, section 9). */
const CHUNK_TIMEOUT_MS = 120_000
/** A new release is met at most once in this time; a server that lacks a file must not make the page reload for ever. */
const MIN_RELOAD_INTERVAL_MS = 5 * 60_000
const RELOADED_AT_KEY = 'gatehouse.reloaded-at'

/** A part of the application could not be loaded. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError'
}

/** Loads a lazy part. A release since this page was opened is the usual cause of a failure: reload once by itself, then ask. */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await withTimeout(load())
  } catch (cause) {
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

function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError('timed out')), CHUNK_TIMEOUT_MS)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}
