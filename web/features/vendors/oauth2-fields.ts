import { OAuth2Settings } from '#shared/contract/oauth2-settings.ts'
import { OAUTH2_PRESET_NAMES, OAUTH2_PRESETS, type OAuth2PresetName } from '#shared/rules/oauth2-presets.ts'

type Kind =
  | 'text'
  | 'secret'
  | 'switch'
  | 'choice'
  /** `name=value`, one per line. */
  | 'pairs'
  /** One per line. */
  | 'list'
  /** Whether a list contains it. */
  | 'member'

export type OAuth2Field = {
  /** Its path in the settings, and the suffix of its message `vendor-field.<path>`. */
  path: string
  kind: Kind
  options?: readonly string[]
  /** What an empty field means: absent, or `null`. */
  empty?: 'absent' | 'null'
}

const text = (path: string): OAuth2Field => ({ path, kind: 'text' })
const optional = (path: string): OAuth2Field => ({ path, kind: 'text', empty: 'absent' })
const nullable = (path: string): OAuth2Field => ({ path, kind: 'text', empty: 'null' })
const pairs = (path: string): OAuth2Field => ({ path, kind: 'pairs' })
const flag = (path: string): OAuth2Field => ({ path, kind: 'switch' })
const choice = (path: string, ...options: string[]): OAuth2Field => ({ path, kind: 'choice', options })

type Group = { name: string; fields: readonly OAuth2Field[] }

/** What differs for every installation. */
export const OAUTH2_PLACE: readonly OAuth2Field[] = [
  optional('discoveryUrl'),
  optional('authorizeUrl'),
  optional('tokenUrl'),
  optional('userUrl'),
  { path: 'origins', kind: 'list' },
  text('clientId'),
  { path: 'clientSecret', kind: 'secret', empty: 'absent' },
]

/** The protocol details, which a preset fills in. */
export const OAUTH2_GROUPS: readonly Group[] = [
  {
    name: 'authorize',
    fields: [text('scope'), pairs('authorizeExtra'), flag('pkce'), flag('nonce'), text('names.returnedCode')],
  },
  {
    name: 'names',
    fields: ['clientId', 'clientSecret', 'redirectUri', 'responseType', 'grantType', 'scope', 'code'].map((name) =>
      text(`names.${name}`),
    ),
  },
  {
    name: 'token',
    fields: [
      choice('token.of', 'code', 'app'),
      choice('token.method', 'POST', 'GET'),
      choice('token.body', 'form', 'json', 'query'),
      choice('token.auth', 'basic', 'body', 'none'),
      pairs('token.extra'),
      text('token.token'),
      text('token.expiresIn'),
      text('token.success.pointer'),
      text('token.success.equals'),
      text('token.error'),
      pairs('token.headers'),
      text('token.signature.text'),
      choice('token.signature.algorithm', 'sha256', 'sha1'),
      choice('token.signature.encoding', 'hex', 'HEX', 'base64', 'base64-of-hex'),
    ],
  },
  {
    name: 'user',
    fields: [
      choice('user.method', 'GET', 'POST'),
      choice('user.token', 'bearer', 'query', 'body', 'header'),
      text('user.tokenName'),
      pairs('user.extra'),
      text('user.success.pointer'),
      text('user.success.equals'),
      text('user.error'),
    ],
  },
  {
    name: 'claims',
    fields: [
      text('claims.subject'),
      text('claims.name'),
      ...['number', 'phone', 'phoneVerified', 'mailbox', 'mailboxVerified'].map((name) => nullable(`claims.${name}`)),
      { path: 'verifies.phone', kind: 'member' },
      { path: 'verifies.mailbox', kind: 'member' },
      ...['role', 'orgCode', 'orgName', 'avatar'].map((name) => nullable(`claims.${name}`)),
      pairs('values.role'),
      pairs('values.orgCode'),
    ],
  },
]

/** For platforms that sign ID tokens without discovery. */
export const OAUTH2_RARE: readonly OAuth2Field[] = [
  text('idToken.issuer'),
  text('idToken.jwksUrl'),
  text('clockSkewSeconds'),
  optional('realm'),
]

const DIALECT = OAUTH2_GROUPS.flatMap(({ fields }) => fields)
export const OAUTH2_FIELDS = [...OAUTH2_PLACE, ...DIALECT, ...OAUTH2_RARE]

/** Groups that are left out entirely while this field is empty. */
const ABSENT_WITHOUT: Readonly<Record<string, string>> = {
  'token.success': 'token.success.pointer',
  'user.success': 'user.success.pointer',
  'token.signature': 'token.signature.text',
  idToken: 'idToken.issuer',
}

export type OAuth2Draft = Record<string, string | boolean>

const at = (settings: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], settings)

function shown(settings: unknown, { path, kind, options }: OAuth2Field): string | boolean {
  if (kind === 'member') {
    const [list = '', member = ''] = path.split('.')
    return (at(settings, list) as string[] | undefined)?.includes(member) ?? false
  }
  const value = at(settings, path)
  if (kind === 'switch') return value === true
  if (kind === 'list') return ((value ?? []) as string[]).join('\n')
  if (kind === 'pairs')
    return Object.entries(value ?? {})
      .map(([name, one]) => `${name}=${one}`)
      .join('\n')
  return String(value ?? options?.[0] ?? '')
}

/** Settings as a draft. A bootstrap file may leave defaults out, so they are filled in. */
export function toOAuth2Draft(settings: unknown): OAuth2Draft {
  const complete = OAuth2Settings.safeParse(settings).data ?? settings
  return Object.fromEntries(OAUTH2_FIELDS.map((field) => [field.path, shown(complete, field)]))
}

const STAND_IN = { clientId: '-', clientSecret: '-', authorizeUrl: 'https://-.invalid', tokenUrl: 'https://-.invalid' }

/** The initial draft when nothing is set up. */
export const EMPTY_OAUTH2_DRAFT: OAuth2Draft = {
  ...toOAuth2Draft(OAuth2Settings.parse(STAND_IN)),
  ...Object.fromEntries(Object.keys(STAND_IN).map((name) => [name, ''])),
}

const PRESET_DRAFTS = new Map(
  OAUTH2_PRESET_NAMES.map((name) => [
    name,
    toOAuth2Draft(OAuth2Settings.parse({ ...STAND_IN, ...OAUTH2_PRESETS[name] })),
  ]),
)

/** The preset with the same protocol details; `custom` if none matches. */
export const presetOf = (draft: OAuth2Draft): OAuth2PresetName =>
  OAUTH2_PRESET_NAMES.find((name) => DIALECT.every(({ path }) => PRESET_DRAFTS.get(name)?.[path] === draft[path])) ??
  'custom'

/** The draft with a preset filled in; the client's credentials stay. */
export function withPreset(draft: OAuth2Draft, name: OAuth2PresetName): OAuth2Draft {
  const filled = PRESET_DRAFTS.get(name) ?? {}
  const addresses = name === 'custom' ? [] : ['authorizeUrl', 'tokenUrl', 'userUrl']
  const paths = [...DIALECT.map(({ path }) => path), ...addresses]
  const taken = Object.fromEntries(paths.map((path) => [path, filled[path] ?? '']))
  return { ...draft, ...taken, ...(name !== 'custom' && { discoveryUrl: '' }) }
}

const lines = (value: string): string[] =>
  value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const asPairs = (value: string): Record<string, string> =>
  Object.fromEntries(
    lines(value).map((line) => {
      const [, name = line, one = ''] = /^([^=]*)=(.*)$/s.exec(line) ?? []
      return [name.trim(), one.trim()]
    }),
  )

function typed({ kind, empty, path }: OAuth2Field, value: string | boolean): unknown {
  if (kind === 'switch') return value === true
  const written = String(value).trim()
  if (kind === 'list') return lines(written)
  if (kind === 'pairs') return asPairs(written)
  if (written === '' && empty) return empty === 'null' ? null : undefined
  return path === 'clockSkewSeconds' ? Number(written || 'x') : written
}

/** The settings object at a path, created if missing. */
function groupAt(settings: Record<string, unknown>, steps: readonly string[]): Record<string, unknown> {
  let group = settings
  for (const step of steps) {
    const inner = (group[step] ?? {}) as Record<string, unknown>
    group[step] = inner
    group = inner
  }
  return group
}

/** The draft as settings, as they are sent. */
export function toOAuth2Settings(draft: OAuth2Draft): object {
  const settings: Record<string, unknown> = {}
  const isAbsent = (path: string) =>
    Object.entries(ABSENT_WITHOUT).some(
      ([part, field]) => path.startsWith(`${part}.`) && String(draft[field] ?? '').trim() === '',
    )
  for (const field of OAUTH2_FIELDS) {
    if (field.kind === 'member' || isAbsent(field.path)) continue
    const steps = field.path.split('.')
    const name = steps.pop() ?? ''
    const written = typed(field, draft[field.path] ?? '')
    if (written !== undefined) groupAt(settings, steps)[name] = written
  }
  return { ...settings, verifies: ['phone', 'mailbox'].filter((name) => draft[`verifies.${name}`] === true) }
}
