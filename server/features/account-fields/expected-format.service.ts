import { type FieldFormat, MAX_JUDGED_LENGTH } from '#shared/contract/field-rules.ts'
import type { Context } from '../../platform/platform.ts'

/**
 * Describes the required format in words; null if only the built-in checks apply. A pattern is described by the institution's own text,
 * because people can't read patterns.
 */
export function expectedFormat({ client, translate }: Context, format: FieldFormat): string | null {
  const say = (key: string, params?: Record<string, number>) =>
    translate(client.language, `complete-profile.format.${key}`, params)
  if (format === 'any') return null
  if (typeof format === 'string') return say(format)
  const { pattern, minLength: least, maxLength: most, expected } = format
  const own = expected?.[client.language]
  if (own) return own
  const length =
    most < MAX_JUDGED_LENGTH
      ? say(least === 0 ? 'most' : 'length', { least, most, count: most })
      : least > 0
        ? say('least', { least, count: least })
        : ''
  const parts = [length, pattern ? say('pattern') : ''].filter((part) => part !== '')
  return parts.length > 0 ? parts.join(translate(client.language, 'list.separator')) : null
}
