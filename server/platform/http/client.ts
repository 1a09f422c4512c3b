import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Language } from '#shared/contract/endpoint.ts'
import { languageFromHeader } from '#shared/rules/format-message.ts'
import { LANGUAGE_HEADER } from '#shared/rules/own-texts.ts'
import type { Client, Context, Platform } from '../platform.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The wording, which tells which languages there are. */
    wording: Platform['wording']
  }
}

/** Readable by scripts: the language that a person chose, for 30 days. */
export const LANGUAGE_COOKIE = 'gatehouse_language'

/** The caller's language: chosen (query `lang`, header, then cookie), else the browser's, else the institution's first. */
export function languageOf(request: FastifyRequest): Language {
  const offered = request.server.wording.offered()
  const query = request.query as Record<string, unknown> | undefined
  const chosen = [query?.['lang'], request.headers[LANGUAGE_HEADER], request.cookies?.[LANGUAGE_COOKIE]]
  return (
    chosen.flatMap((value) => offered.find((language) => language === value) ?? [])[0] ??
    languageFromHeader(request.headers['accept-language'] ?? '', offered) ??
    offered[0] ??
    'zh_CN'
  )
}

/** As `languageOf`, and one that visitors are not offered yet where the query names it: for previews, which super users alone can open. */
export function previewLanguageOf(request: FastifyRequest): Language {
  const { lang } = request.query as Record<string, unknown>
  return request.server.wording.languages().find(({ code }) => code === lang)?.code ?? languageOf(request)
}

/** An address without port, brackets, zone and IPv4-in-IPv6 prefix; null for what is none. */
function bareAddress(text: string): string | null {
  const withoutPort = /^\[([^\]]*)\]/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  const address = withoutPort.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(address) ? address : null
}

/** Some proxies add the port, or write `unknown`; then only the proxy's own address is known. A caller who has hung up has none. */
const addressOf = ({
  ip,
  socket,
}: {
  ip: string | undefined
  socket: { remoteAddress?: string | undefined }
}): string => bareAddress(ip ?? '') ?? bareAddress(socket.remoteAddress ?? '') ?? '0.0.0.0'

export function clientOf(request: FastifyRequest): Client {
  let language: Language | undefined
  return {
    requestId: request.id,
    ip: addressOf(request),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 400),
    // Determined when it is needed: most answers to applications are in no language.
    get language() {
      language ??= languageOf(request)
      return language
    },
  }
}

/** The context of a request outside the API (pages, protocol endpoints): no portal session. */
export const contextOf = (platform: Platform, request: FastifyRequest): Context => ({
  ...platform,
  db: platform.sql,
  client: clientOf(request),
  caller: null,
})

/**
 * True if a browser says that another site caused the request. A request without either header (a script) passes; with `Origin: null` only
 * `Sec-Fetch-Site: same-origin` does.
 */
export function isCrossSite(request: FastifyRequest, publicUrl: string): boolean {
  const site = request.headers['sec-fetch-site']
  const origin = request.headers.origin
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  if (origin === undefined) return false
  if (origin === 'null') return site !== 'same-origin'
  return origin !== publicUrl
}

const PREFETCH_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const

/** Is a browser only prefetching for a click that may never come? Then nothing may change. */
export const isPrefetch = ({ headers }: FastifyRequest): boolean =>
  PREFETCH_HEADERS.some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? '')))
