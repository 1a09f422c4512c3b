import { Redis } from 'iovalkey'
import { sha256 } from './crypto.ts'
import { errors } from './errors.ts'
import type { State } from './state.ts'

const nameOf = (kind: string, key: string) => `gatehouse:${kind}:${sha256(key).toString('base64url')}`

const usesOf = (name: string) => `${name}:uses`

/** No entry lives longer, so a count of its uses needs no more either. */
const LONGEST_SECONDS = 24 * 3600

/** Whatever went wrong, the state is unknown: the caller is told to come back, never let through. */
async function answerOf<T>(command: Promise<T>): Promise<T> {
  try {
    return await command
  } catch (cause) {
    throw Object.assign(errors['service.unavailable']({ retryAfter: 2 }), { cause })
  }
}

/**
 * Hot state in Valkey or Redis (6.2 or newer, for GETDEL).
 * @throws Refusal `service.unavailable` from each call when the server does not answer within two seconds.
 */
export function createRedisState(url: string, onError: (error: Error) => void): State {
  const redis = new Redis(url.replace(/^valkey/, 'redis'), {
    maxRetriesPerRequest: 1,
    connectTimeout: 1500,
    commandTimeout: 1800,
    retryStrategy: (times) => Math.min(times * 100, 1000),
  })
  redis.on('error', onError)
  const read = <T>(text: string | null) => (text === null ? null : (JSON.parse(text) as T))
  return {
    async put(kind, key, value, seconds) {
      const ms = Math.max(1, Math.round(seconds * 1000))
      const name = nameOf(kind, key)
      const both = redis.multi().set(name, JSON.stringify(value), 'PX', ms).del(usesOf(name))
      const replies = await answerOf(both.exec())
      if (!replies || replies.some(([failure]) => failure)) throw errors['service.unavailable']({ retryAfter: 2 })
    },
    async take<T>(kind: string, key: string) {
      return read<T>(await answerOf(redis.getdel(nameOf(kind, key))))
    },
    async peek<T>(kind: string, key: string) {
      return read<T>(await answerOf(redis.get(nameOf(kind, key))))
    },
    async use<T>(kind: string, key: string) {
      const name = nameOf(kind, key)
      const uses = usesOf(name)
      // Guesses at what is not there must not leave counters behind.
      if ((await answerOf(redis.exists(name))) === 0) return null
      const replies = await answerOf(redis.multi().get(name).incr(uses).expire(uses, LONGEST_SECONDS).exec())
      const [readFailure, text] = replies?.[0] ?? [new Error('no reply'), null]
      const [countFailure, count] = replies?.[1] ?? [new Error('no reply'), null]
      if (readFailure || countFailure) throw errors['service.unavailable']({ retryAfter: 2 })
      const value = read<T>(text as string | null)
      return value === null ? null : { value, uses: Number(count) }
    },
    async count(kind, key, seconds) {
      const name = nameOf(kind, key)
      // Not EXPIRE with NX, which Redis 6.2 does not know; INCR leaves the time to live as it is.
      const replies = await answerOf(redis.multi().set(name, 0, 'EX', Math.ceil(seconds), 'NX').incr(name).exec())
      const [failure, count] = replies?.[1] ?? [new Error('no reply'), null]
      if (failure) throw errors['service.unavailable']({ retryAfter: 2 })
      return Number(count)
    },
    async sweep() {},
    async close() {
      redis.disconnect()
    },
  }
}
