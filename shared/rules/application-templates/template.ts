import type { ApplicationFields, Protocol } from '../../contract/application-fields.ts'
import { SECRET_PLACEHOLDER } from '../integration-snippets.ts'
import { parseWebAddress } from '../redirect-target.ts'
import type { TemplateKey } from './keys.ts'

/** What a template fills in; its texts may contain the names of facts in braces. */
type Filled = Partial<
  Pick<
    ApplicationFields,
    | 'serviceUrls'
    | 'singleLogout'
    | 'redirectUris'
    | 'postLogoutRedirectUris'
    | 'backchannelLogoutUri'
    | 'scopes'
    | 'attributes'
    | 'grantTypes'
    | 'casOptions'
  >
>

/** How a product logs in by one protocol. */
export type ApplicationTemplate = {
  /** The message `application-template.<key>` says where in the product its settings are. */
  key: TemplateKey
  product: string
  protocol: Protocol
  /** Plain OAuth 2.0, without an ID token. */
  isPlainOAuth?: true
  /** The product's setting for its own address. */
  baseSetting: string
  example: string
  filled: Filled
  /** The product's settings, under its own names. */
  settings?: readonly (readonly [name: string, value: string])[]
  /** A configuration file. */
  snippet?: { file: string; text: string }
  /** The product's documentation. */
  docs: string
  /** The product's client library that this was tested with; null: based on documentation only. */
  proof: string | null
}

/** The facts that a template's texts are filled with. */
export type TemplateFacts = {
  /** Of the product, without a trailing slash. */
  base: string
  /** Of this server, without a trailing slash. */
  publicUrl: string
  clientId: string
  /** Known only at creation. */
  secret?: string | null
}

function namesOf({ base, publicUrl, clientId, secret }: TemplateFacts): Record<string, string> {
  const server = new URL(publicUrl)
  const cas = `${publicUrl}/fwk_cas_service`
  return {
    base,
    basePath: new URL(base).pathname.replace(/\/$/, ''),
    host: new URL(base).host,
    cas,
    issuer: `${cas}/oidc`,
    discovery: `${cas}/oidc/.well-known/openid-configuration`,
    server: server.hostname,
    port: server.port || (server.protocol === 'https:' ? '443' : '80'),
    clientId,
    secret: secret ?? SECRET_PLACEHOLDER,
  }
}

/** Replaces only complete names in braces, so that other braces of a configuration file stay. */
function fillText(text: string, names: Record<string, string>): string {
  return text.replace(/\{([a-zA-Z]+)\}/g, (whole, name: string) => names[name] ?? whole)
}

/** A template value with all its texts filled. */
function fillAll<T>(value: T, names: Record<string, string>): T {
  if (typeof value === 'string') return fillText(value, names) as T
  if (Array.isArray(value)) return value.map((one) => fillAll(one, names)) as T
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fillAll(one, names)])) as T
}

/** The registration of the product at this address. */
export const fieldsOf = ({ filled }: ApplicationTemplate, facts: TemplateFacts): Filled =>
  fillAll(filled, namesOf(facts))

/** The settings to enter in the product at this address. */
export function instructionsOf(template: ApplicationTemplate, facts: TemplateFacts) {
  const names = namesOf(facts)
  return fillAll({ settings: template.settings ?? [], snippet: template.snippet ?? null }, names)
}

/** The problems of a product's address; each has the message `address-problem.<name>`. */
export type BaseProblem = 'not-web' | 'host' | 'base-rest' | 'base-path' | 'insecure'

const isLoopback = (hostname: string): boolean => hostname === 'localhost' || /^127(\.\d+){3}$|^\[::1\]$/.test(hostname)

/**
 * The product's address as registered: host in lower case and ASCII, no trailing slash. Its path is inserted into
 * configuration files, so special characters are refused.
 */
export function parseBase(protocol: Protocol, typed: string): { base: string } | { problem: BaseProblem } {
  const value = typed.trim()
  const url = value.length <= 1000 ? parseWebAddress(value) : null
  if (!url) return { problem: /^https?:\/\/[^/?#]*\*/i.test(value) ? 'host' : 'not-web' }
  if (/[?#]/.test(value)) return { problem: 'base-rest' }
  const path = value.replace(/^https?:\/\/[^/]*/i, '')
  if (!/^(\/[\w~-][\w.~-]*)*\/?$/.test(path)) return { problem: 'base-path' }
  if (protocol === 'oauth2' && url.protocol !== 'https:' && !isLoopback(url.hostname)) return { problem: 'insecure' }
  return { base: `${url.origin}${path.replace(/\/$/, '')}` }
}
