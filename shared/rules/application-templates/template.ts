import type { ApplicationFields, Protocol } from '../../contract/application-fields.ts'
import { SECRET_PLACEHOLDER } from '../integration-snippets.ts'
import { parseWebAddress } from '../redirect-target.ts'
import type { TemplateKey } from './keys.ts'

/** What a template fills; texts in it may name the facts below in braces. */
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

/** How one product logs in by one protocol. */
export type ApplicationTemplate = {
  /** Each has the message `application-template.<key>`: where in the product its settings are. */
  key: TemplateKey
  product: string
  protocol: Protocol
  /** It speaks the OAuth 2.0 below OpenID Connect, without an ID token. */
  isPlainOAuth?: true
  /** The setting of the product that names its own address. */
  baseSetting: string
  example: string
  filled: Filled
  /** What to type in, under the names that the product has for it. */
  settings?: readonly (readonly [name: string, value: string])[]
  /** What to put into a file. */
  snippet?: { file: string; text: string }
  /** The product's own documentation of it. */
  docs: string
  /** The client library of the product that this was tried with; null: it follows the documentation only. */
  proof: string | null
}

/** Names in braces that texts of a template are filled with. */
export type TemplateFacts = {
  /** Of the product, without a slash at the end. */
  base: string
  /** Of this server, without a slash at the end. */
  publicUrl: string
  clientId: string
  /** Known in the moment of creation only. */
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

/** Takes only whole names in braces, so that the braces of a configuration file stay what they are. */
function fillText(text: string, names: Record<string, string>): string {
  return text.replace(/\{([a-zA-Z]+)\}/g, (whole, name: string) => names[name] ?? whole)
}

/** A value of a template with all texts in it filled. */
function fillAll<T>(value: T, names: Record<string, string>): T {
  if (typeof value === 'string') return fillText(value, names) as T
  if (Array.isArray(value)) return value.map((one) => fillAll(one, names)) as T
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fillAll(one, names)])) as T
}

/** What is registered of the product at this address. */
export const fieldsOf = ({ filled }: ApplicationTemplate, facts: TemplateFacts): Filled =>
  fillAll(filled, namesOf(facts))

/** What is to be typed into the product at this address. */
export function instructionsOf(template: ApplicationTemplate, facts: TemplateFacts) {
  const names = namesOf(facts)
  return fillAll({ settings: template.settings ?? [], snippet: template.snippet ?? null }, names)
}

/** What is wrong with the address of a product; each has the message `address-problem.<name>`. */
export type BaseProblem = 'not-web' | 'host' | 'base-rest' | 'base-path' | 'insecure'

const isLoopback = (hostname: string): boolean => hostname === 'localhost' || /^127(\.\d+){3}$|^\[::1\]$/.test(hostname)

/**
 * The address under which a product is opened, as it is registered: host in lower case and ASCII, no slash at the end. Its path goes
 * into settings that are pasted elsewhere, so it has nothing in it that would mean something there.
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
