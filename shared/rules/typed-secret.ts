import { SECRET_PLACEHOLDER } from '../contract/stored-secret.ts'

const STARS = SECRET_PLACEHOLDER.length

/**
 * What a secret field holds after somebody typed into it. The placeholder represents the stored secret as a whole: typing beside or between
 * its stars replaces it, and deleting one of them deletes it.
 */
export function typedSecret(value: string, next: string): string {
  if (value !== SECRET_PLACEHOLDER) return next
  if (next.length < STARS && /^\**$/.test(next)) return ''
  const before = /^\**/.exec(next)?.[0].length ?? 0
  const after = /\**$/.exec(next)?.[0].length ?? 0
  const isBeside = next.length > STARS && before + after >= STARS
  if (!isBeside) return next
  const start = Math.min(before, STARS)
  return next.slice(start, next.length - (STARS - start))
}
