import type { FastifyReply, FastifyRequest } from 'fastify'
import { LANGUAGES } from '#shared/contract/endpoint.ts'
import type { Scheme } from '#shared/rules/design-tokens.ts'
import { LANGUAGE_COOKIE } from '../../platform/http/client.ts'
import type { Platform } from '../../platform/platform.ts'

/** Readable by scripts, like the language cookie: `light` or `dark`; absent follows the system. */
const THEME_COOKIE = 'gatehouse_theme'
const CHOICE_SECONDS = 30 * 24 * 3600

const isScheme = (value: unknown): value is Scheme => value === 'light' || value === 'dark'

const queryOf = (request: FastifyRequest) => (request.query ?? {}) as Record<string, unknown>

/** The theme a person chose: by link (`theme=`), else kept; null follows the system. */
export const themeOf = (request: FastifyRequest): Scheme | null =>
  [queryOf(request)['theme'], request.cookies[THEME_COOKIE]].find(isScheme) ?? null

/** Keeps a language or theme that was chosen by link, which is how a browser without script chooses. */
export function keepChoices(platform: Platform, request: FastifyRequest, reply: FastifyReply): void {
  const { lang, theme } = queryOf(request)
  const secure = platform.config.publicUrl.startsWith('https:')
  const options = { path: '/', maxAge: CHOICE_SECONDS, sameSite: 'lax', secure } as const
  if (LANGUAGES.some((language) => language === lang)) reply.setCookie(LANGUAGE_COOKIE, String(lang), options)
  if (isScheme(theme)) reply.setCookie(THEME_COOKIE, theme, options)
}
