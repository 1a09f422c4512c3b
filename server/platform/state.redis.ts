import { Redis } from 'iovalkey'
import { latestIssueTime } from './clock.ts'
import { sha256 } from './crypto.ts'
import { errors } from './errors.ts'
import type { EphemeralState } from './state.ts'

const redisKey = (kind: string, key: string) => `gatehouse:${kind}:${sha256(key).toString('base64url')}`

/** Milliseconds, by our own clock. */
type StoredValue<T> = { value: T; putAt: number; until: number }

/** Whatever went wrong, the state is unknown: the caller must retry, and is never let in. */
async function orUnavailable<T>(command: Promise<T>): Promise<T> {
  try {
    return await command
  } catch (cause) {
    throw Object.assign(errors['service.unavailable']({ retryAfter: 2 }), { cause })
  }
}

/**
 * Ephemeral state in Valkey or Redis (6.2 or newer, for GETDEL).
 * @throws Refusal `service.unavailable` from each call if the server does not answer within two seconds.
 */
export function createRedisState(url: string, now: () => Date, onError: (error: Error) => void): EphemeralState {
  const redis = new Redis(url.replace(/^valkey/, 'redis'), {
    maxRetriesPerRequest: 1,
    connectTimeout: 1500,
    commandTimeout: 1800,
    // A connection without an answer for this long is dropped, or each later command would wait on it too.
    socketTimeout: 1500,
    keepAlive: 10_000,
    retryStrategy: (times) => Math.min(times * 100, 1000),
  })
  redis.on('error', onError)
  const read = <T>(text: string | null): T | null => {
    const kept = text === null ? null : (JSON.parse(text) as StoredValue<T>)
    // Redis expires entries by its own clock, which may have been set back.
    return kept && kept.until > now().getTime() && kept.putAt <= latestIssueTime(now()).getTime() ? kept.value : null
  }
  return {
    async put(kind, key, value, seconds) {
      const ms = Math.max(1, Math.round(seconds * 1000))
      const putAt = now().getTime()
      const kept: StoredValue<unknown> = { value, putAt, until: putAt + ms }
      await orUnavailable(redis.set(redisKey(kind, key), JSON.stringify(kept), 'PX', ms))
    },
    async take<T>(kind: string, key: string) {
      return read<T>(await orUnavailable(redis.getdel(redisKey(kind, key))))
    },
    async peek<T>(kind: string, key: string) {
      return read<T>(await orUnavailable(redis.get(redisKey(kind, key))))
    },
    async increment(kind, key, seconds) {
      const name = redisKey(kind, key)
      // Not EXPIRE with NX, which Redis 6.2 does not support; INCR keeps the time to live.
      const replies = await orUnavailable(redis.multi().set(name, 0, 'EX', Math.ceil(seconds), 'NX').incr(name).exec())
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
