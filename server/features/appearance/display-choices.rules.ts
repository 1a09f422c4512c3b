import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Scheme } from '#shared/rules/design-tokens.ts'
import { parseReading, type ReadingChoices, readingMarks } from '#shared/rules/reading-choices.ts'
import { readingPalette } from '#shared/rules/reading-palettes.ts'
import type { ThemeDesign } from '#shared/rules/theme-design.ts'
import { LANGUAGE_COOKIE } from '../../platform/http/client.ts'
import type { Platform } from '../../platform/platform.ts'

/** Readable by scripts, like the language cookie: `light` or `dark`; absent: as the system. */
const THEME_COOKIE = 'gatehouse_theme'
const READING_COOKIE = 'gatehouse_reading'
const CHOICE_MAX_AGE_SECONDS = 30 * 24 * 3600

const isScheme = (value: unknown): value is Scheme => value === 'light' || value === 'dark'

const queryOf = (request: FastifyRequest) => (request.query ?? {}) as Record<string, unknown>

/** The theme a person chose: by link (`theme=`), else by cookie; null: as the system. */
export const themeOf = (request: FastifyRequest): Scheme | null =>
  [queryOf(request)['theme'], request.cookies[THEME_COOKIE]].find(isScheme) ?? null

/** Stores a language or theme chosen by link, as a browser without script does it. */
export function saveDisplayChoices(platform: Platform, request: FastifyRequest, reply: FastifyReply): void {
  const { lang, theme } = queryOf(request)
  const secure = platform.config.publicUrl.startsWith('https:')
  const options = { path: '/', maxAge: CHOICE_MAX_AGE_SECONDS, sameSite: 'lax', secure } as const
  if (platform.wording.offered().some((language) => language === lang))
    reply.setCookie(LANGUAGE_COOKIE, String(lang), options)
  if (isScheme(theme)) reply.setCookie(THEME_COOKIE, theme, options)
}

/** The accessible reading choices of this browser; null: none. */
export const readingOf = (request: FastifyRequest): ReadingChoices | null =>
  parseReading(request.cookies[READING_COOKIE])

/** The attribute of `<html>` for a right-to-left language. */
export const directionMark = (direction: 'ltr' | 'rtl'): string => (direction === 'rtl' ? ' dir="rtl"' : '')

/** The attributes of `<html>` for a correct first paint: theme and accessible reading. */
export function documentMarks(theme: Scheme | null, reading: ReadingChoices | null): string {
  const marks = Object.entries(readingMarks(reading)).map(([name, value]) => [`reading-${name}`, value] as const)
  return [['theme', theme] as const, ...marks]
    .flatMap(([name, value]) => (value === null ? [] : [` data-${name}="${value}"`]))
    .join('')
}

/** The colour that the browser uses around the page. */
export const themeColor = (theme: Scheme | null, reading: ReadingChoices | null, design: ThemeDesign): string =>
  reading && reading.contrast !== 'none' ? readingPalette(reading.contrast).card : design[theme ?? 'light'].card
