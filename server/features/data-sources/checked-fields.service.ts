import { X509Certificate } from 'node:crypto'
import { NO_OPTIONS, OPTIONS_OF, type SourceOptions } from '#shared/contract/data-source-options.ts'
import type { DataSourceFields, DataSourceKind } from '#shared/contract/data-sources.ts'
import { SECRET_PLACEHOLDER } from '#shared/contract/stored-secret.ts'
import { isFilter, isHostKey, isPattern, isPrivateKey, splitPath } from '../../connectors/index.ts'
import { errors } from './data-sources.errors.ts'

/** Options that determine where the password is sent, or who could read it on the way. */
const DESTINATION_OPTIONS = [
  'startTls',
  'url',
  'departmentsUrl',
  'auth',
  'headerName',
  'tokenUrl',
  'sftpAuth',
  'hostKey',
] as const satisfies readonly (keyof SourceOptions)[]

/** Who can see the password: the server at this address, and anybody on the way if nothing is encrypted. */
export const destinationOf = ({ kind, host, port, database, user, tls, ca, options }: DataSourceFields) => ({
  ...{ kind, host, port, database, user, tls, ca },
  ...Object.fromEntries(DESTINATION_OPTIONS.map((name) => [name, options[name]])),
})

const DATABASE_FIELDS = ['host', 'database', 'user'] as const
const NO_SERVER = { host: '', port: 0, database: '', user: '', password: '', ca: '', tls: 'verify' } as const

/** The required fields of each kind. */
const NEEDED: Record<DataSourceKind, readonly (keyof DataSourceFields)[]> = {
  postgresql: DATABASE_FIELDS,
  mysql: DATABASE_FIELDS,
  // A user without a password would mean integrated authentication by this machine's domain account.
  sqlserver: [...DATABASE_FIELDS, 'password'],
  oracle: [...DATABASE_FIELDS, 'password'],
  // A user without a password would bind anonymously, and look like a successful login.
  ldap: [...DATABASE_FIELDS, 'password'],
  ad: [...DATABASE_FIELDS, 'password'],
  // Their required fields depend on their options.
  rest: [],
  scim: [],
  wecom: ['user', 'password'],
  dingtalk: ['user', 'password'],
  'csv-sftp': ['host', 'user', 'password'],
  'csv-upload': [],
}

function optionsOf({ kind, options }: DataSourceFields): SourceOptions {
  const own = OPTIONS_OF[kind].map((name) => [name, options[name]])
  return { ...NO_OPTIONS, ...Object.fromEntries(own) }
}

/**
 * The fields that its kind has, validated.
 * @throws Refusal `data-source.incomplete`, `data-source.bad-ca`, `data-source.bad-filter`, `data-source.bad-address`,
 *   `data-source.bad-key`, `data-source.bad-host-key`, `data-source.bad-path`.
 */
export async function checkedFields(given: DataSourceFields): Promise<DataSourceFields> {
  return await CHECK_OF[given.kind]({ ...given, options: optionsOf(given) })
}

type Check = (fields: DataSourceFields) => DataSourceFields | Promise<DataSourceFields>

const CHECK_OF: Record<DataSourceKind, Check> = {
  postgresql: checkedServer,
  mysql: checkedServer,
  sqlserver: checkedServer,
  // Its driver trusts what this machine trusts, and encrypts only with a verified certificate.
  oracle: async (fields) => await checkedServer({ ...fields, ca: '', tls: fields.tls === 'off' ? 'off' : 'verify' }),
  ldap: checkedServer,
  ad: checkedServer,
  rest: checkedRest,
  // Pages are found by RFC 7644, so `paging` stays unset.
  scim: checkedRest,
  wecom: checkedBook,
  dingtalk: checkedBook,
  'csv-sftp': async (fields) => await checkedSftp(await checkedServer(fields)),
  'csv-upload': (fields) => ({ ...fields, ...NO_SERVER }),
}

/** For kinds that are reached by host and port. */
async function checkedServer(fields: DataSourceFields): Promise<DataSourceFields> {
  const missing = NEEDED[fields.kind].filter((name) => fields[name] === '')
  if (missing.length > 0) throw errors['data-source.incomplete']({ data: { fields: missing } })
  if (/[/\s?#@]/.test(fields.host)) throw errors['data-source.incomplete']({ data: { fields: ['host'] } })
  if (fields.ca !== '' && !isCertificate(fields.ca)) throw errors['data-source.bad-ca']({ data: { fields: ['ca'] } })
  for (const name of ['peopleFilter', 'departmentFilter'] as const)
    if (fields.options[name] !== '' && !(await isFilter(fields.options[name])))
      throw errors['data-source.bad-filter']({ data: { fields: [`options.${name}`] } })
  return fields
}

/** The vendors' own hosts. */
const BOOK_HOSTS = { wecom: 'https://qyapi.weixin.qq.com', dingtalk: 'https://oapi.dingtalk.com' } as const

function checkedBook(given: DataSourceFields): DataSourceFields {
  const { kind, user, password, options } = given
  const missing = NEEDED[kind].filter((name) => given[name] === '')
  if (missing.length > 0) throw errors['data-source.incomplete']({ data: { fields: missing } })
  const url = options.url.replace(/\/+$/, '') || BOOK_HOSTS[kind as keyof typeof BOOK_HOSTS]
  if (!isAddress(url)) throw errors['data-source.bad-address']({ data: { fields: ['options.url'] } })
  if (!/^[\d\s,;，；]*$/.test(options.rootIds))
    throw errors['data-source.incomplete']({ data: { fields: ['options.rootIds'] } })
  return { ...given, ...NO_SERVER, user, password, options: { ...options, url } }
}

async function checkedSftp(fields: DataSourceFields): Promise<DataSourceFields> {
  const { password, options } = fields
  const { path, hostKey, sftpAuth } = options
  if (path === '') throw errors['data-source.incomplete']({ data: { fields: ['options.path'] } })
  if (/\p{C}/u.test(path) || path.endsWith('/') || isPattern(splitPath(path).folder))
    throw errors['data-source.bad-path']({ data: { fields: ['options.path'] } })
  if (hostKey !== '' && !isHostKey(hostKey))
    throw errors['data-source.bad-host-key']({ data: { fields: ['options.hostKey'] } })
  if (sftpAuth === 'key' && password !== SECRET_PLACEHOLDER && !(await isPrivateKey(password)))
    throw errors['data-source.bad-key']({ data: { fields: ['password'] } })
  return { ...fields, database: '', ca: '', tls: 'verify' }
}

/** The required options of each kind of authentication, and of paging. */
const NEEDED_OF_AUTH = {
  none: [],
  basic: ['user', 'password'],
  bearer: ['password'],
  header: ['options.headerName', 'password'],
  oauth2: ['options.tokenUrl', 'user', 'password'],
} as const
const NEEDED_OF_PAGING = {
  none: [],
  page: ['options.pageParameter'],
  offset: ['options.pageParameter'],
  index: ['options.pageParameter'],
  cursor: ['options.pageParameter', 'options.cursorPath'],
  link: [],
} as const

function checkedRest(given: DataSourceFields): DataSourceFields {
  const { user, password, options } = given
  const fields = { ...given, ...NO_SERVER, ...(options.auth !== 'none' && { user, password }) }
  const values: Record<string, unknown> = { ...fields, ...prefixed(options) }
  const needed = ['options.url', ...NEEDED_OF_AUTH[options.auth], ...NEEDED_OF_PAGING[options.paging]]
  const missing = needed.filter((name) => values[name] === '')
  if (missing.length > 0) throw errors['data-source.incomplete']({ data: { fields: missing } })
  for (const name of ['url', 'departmentsUrl', 'tokenUrl'] as const)
    if (options[name] !== '' && !isAddress(options[name]))
      throw errors['data-source.bad-address']({ data: { fields: [`options.${name}`] } })
  if (options.auth === 'header' && !/^[\w!#$%&'*+.^`|~-]+$/.test(options.headerName))
    throw errors['data-source.incomplete']({ data: { fields: ['options.headerName'] } })
  return fields
}

const prefixed = (options: SourceOptions) =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [`options.${name}`, value]))

/** A URL without a secret in it, which everybody could read there. */
function isAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

function isCertificate(pem: string): boolean {
  try {
    return Boolean(new X509Certificate(pem))
  } catch {
    return false
  }
}
