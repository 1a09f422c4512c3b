import type { FastifyReply } from 'fastify'
import { languageFromHeader } from '#shared/rules/format-message.ts'
import { INVALID_XML_CHARACTERS } from '../../features/applications/index.ts'
import type { Context } from '../../platform/platform.ts'
import { FAILURE_CODES, type FailureReason, type ServiceResponse } from './validate.service.ts'

export type ResponseFormat = 'XML' | 'JSON'

/** XML unless JSON is asked for; null for anything else (protocol V7). */
export function parseFormat(value: string | null): ResponseFormat | null {
  const format = value?.toUpperCase() ?? 'XML'
  return format === 'XML' || format === 'JSON' ? format : null
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#13;',
}

/** Text for an element or an attribute: drops what XML can't represent, escapes what it would interpret. */
export const escapeXml = (value: string): string =>
  value.replace(INVALID_XML_CHARACTERS, '').replace(/[&<>"'\r]/g, (character) => ESCAPES[character] ?? '')

const XMLNS = 'http://www.yale.edu/tp/cas'
const wrapResponse = (body: string) => `<cas:serviceResponse xmlns:cas="${XMLNS}">\n${body}</cas:serviceResponse>\n`

export function sendXml(reply: FastifyReply, body: string): FastifyReply {
  return reply.type('application/xml;charset=UTF-8').send(body)
}

export function sendJson(reply: FastifyReply, serviceResponse: object): FastifyReply {
  return reply.type('application/json;charset=UTF-8').send(JSON.stringify({ serviceResponse }))
}

/** xs:dateTime without fractions, as in the specification's example. */
export const xmlTime = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`

const element = (name: string, value: string, indent: string) =>
  `${indent}<cas:${name}>${escapeXml(value)}</cas:${name}>\n`

/** The three that every answer with attributes starts with, once each, as the schema requires. */
const protocolAttributes = ({ authenticatedAt, remembered, fresh }: ServiceResponse) => ({
  authenticationDate: xmlTime(authenticatedAt),
  longTermAuthenticationRequestTokenUsed: remembered,
  isFromNewLogin: fresh,
})

function attributesXml(success: ServiceResponse): string {
  const lines = Object.entries(protocolAttributes(success)).map(([name, value]) =>
    element(name, String(value), '      '),
  )
  for (const [name, values] of success.attributes) {
    for (const value of values) lines.push(element(name, value, '      '))
  }
  return `    <cas:attributes>\n${lines.join('')}    </cas:attributes>\n`
}

/** The answer to a successful validation; the schema fixes the order of the elements. */
export function successXml(success: ServiceResponse, withAttributes: boolean): string {
  const proxies = success.proxies.map((proxy) => element('proxy', proxy, '      ')).join('')
  return wrapResponse(
    `  <cas:authenticationSuccess>\n${element('user', success.user, '    ')}${
      withAttributes ? attributesXml(success) : ''
    }${success.pgtIou === null ? '' : element('proxyGrantingTicket', success.pgtIou, '    ')}${
      proxies && `    <cas:proxies>\n${proxies}    </cas:proxies>\n`
    }  </cas:authenticationSuccess>\n`,
  )
}

/** Single values as strings, several as a list; the protocol's own three as lists, like the reference server. */
export function successJson(success: ServiceResponse, withAttributes: boolean): object {
  const own = Object.entries(protocolAttributes(success)).map(([name, value]) => [name, [value]] as const)
  const others = [...success.attributes].map(
    ([name, values]) => [name, values.length > 1 ? values : values[0]] as const,
  )
  return {
    authenticationSuccess: {
      user: success.user,
      ...(success.pgtIou !== null && { proxyGrantingTicket: success.pgtIou }),
      ...(success.proxies.length > 0 && { proxies: success.proxies }),
      ...(withAttributes && { attributes: Object.fromEntries([...own, ...others]) }),
    },
  }
}

/** Never echoes input. In the caller's language if its client states one, else English, which every log can store. */
export function translateFailure(ctx: Context, reason: FailureReason, acceptLanguage: string | undefined): string {
  return ctx.translate(languageFromHeader(acceptLanguage ?? '', ctx.wording.offered()) ?? 'en', `cas.failure.${reason}`)
}

type FailureKey = 'authenticationFailure' | 'proxyFailure'

export const failureXml = (key: FailureKey, reason: FailureReason, text: string): string =>
  wrapResponse(`  <cas:${key} code="${FAILURE_CODES[reason]}">${escapeXml(text)}</cas:${key}>\n`)

export const failureJson = (key: FailureKey, reason: FailureReason, text: string): object => ({
  [key]: { code: FAILURE_CODES[reason], description: text },
})

export const proxySuccessXml = (ticket: string): string =>
  wrapResponse(`  <cas:proxySuccess>\n${element('proxyTicket', ticket, '    ')}  </cas:proxySuccess>\n`)
