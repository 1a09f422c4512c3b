import { z } from 'zod'
import type { Language, ShippedLanguage } from '#shared/contract/endpoint.ts'
import { STORABLE_YEARS } from '#shared/rules/moment-range.ts'
import type { Translator } from '../translate.ts'

const zodLocales = { en: z.locales.en(), zh_CN: z.locales.zhCN(), zh_TW: z.locales.zhTW() }

/** Formats whose name in the library's messages says what to type; a regular expression means nothing to a person. */
const PATTERNS: ReadonlySet<string> = new Set(['regex', 'starts_with', 'ends_with', 'includes'])

/** Why a value is invalid, in words for the person who typed it; errors that only a program makes keep the library's message. */
export const validationMessages =
  (translate: Translator, language: Language): z.core.$ZodErrorMap =>
  (issue) =>
    plainMessage(translate, language, issue) ??
    (zodLocales[language as ShippedLanguage] ?? zodLocales.en).localeError(issue)

/** Custom checks whose message needs no values: `params: { reason }`. */
const PLAIN_REASONS = ['no-text', 'period', 'origin', 'together'] as const

const isPlainReason = (reason: unknown): reason is (typeof PLAIN_REASONS)[number] =>
  PLAIN_REASONS.some((one) => one === reason)

/** Bounds that a person can keep; of a value that only a program sends the library knows more. */
function numberMessage(translate: Translator, language: Language, issue: z.core.$ZodRawIssue): string | null {
  if (issue.code === 'too_small' && issue.inclusive)
    return translate(language, 'reason.too-small', { least: Number(issue.minimum) })
  if (issue.code === 'too_big' && issue.inclusive)
    return translate(language, 'reason.too-large', { most: Number(issue.maximum) })
  return null
}

function choicesMessage(translate: Translator, language: Language, values: readonly z.core.util.Primitive[]): string {
  const choices = values.map(String).join(translate(language, 'list.separator'))
  return translate(language, 'reason.choices', { choices })
}

function plainMessage(translate: Translator, language: Language, issue: z.core.$ZodRawIssue): string | null {
  const { input } = issue
  const reason = issue.code === 'custom' ? issue.params?.['reason'] : undefined
  if (isPlainReason(reason)) return translate(language, `reason.${reason}`)
  if (input === '' || input === null) return translate(language, 'reason.missing')
  if (issue.code === 'invalid_value') return choicesMessage(translate, language, issue.values)
  if (typeof input === 'number') return numberMessage(translate, language, issue)
  if (typeof input !== 'string') return null
  if (reason === 'moment') return translate(language, 'reason.moment', STORABLE_YEARS)
  if (issue.code === 'too_big') return translate(language, 'reason.too-long', { most: Number(issue.maximum) })
  if (issue.code === 'too_small') return translate(language, 'reason.too-short', { least: Number(issue.minimum) })
  if (issue.code === 'invalid_format' && PATTERNS.has(issue.format)) return translate(language, 'reason.form')
  return null
}
