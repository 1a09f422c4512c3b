import type { SourceOptions } from '#shared/contract/data-source-options.ts'
import type { DataSourceFields, DataSourceKind } from '#shared/contract/data-sources.ts'

/** The fields of a form besides name, kind and note. */
export type SourceField = Exclude<keyof DataSourceFields, 'name' | 'kind' | 'note' | 'options'> | keyof SourceOptions

const DATABASE = ['host', 'port', 'database', 'user', 'password', 'tls', 'ca', 'timeoutSeconds'] as const
const LDAP = [
  ...['host', 'port', 'database', 'user', 'password', 'tls', 'startTls', 'ca'],
  ...['peopleFilter', 'departmentFilter', 'columns', 'timeoutSeconds'],
] as SourceField[]

const REST = [
  ...['url', 'departmentsUrl', 'auth', 'headerName', 'tokenUrl', 'user', 'password', 'scope', 'rowsPath'],
  ...[
    'paging',
    'pageParameter',
    'firstPage',
    'cursorPath',
    'sizeParameter',
    'pageSize',
    'totalPath',
    'columns',
    'timeoutSeconds',
  ],
] as SourceField[]

const SCIM: readonly SourceField[] = [
  ...(['url', 'auth', 'headerName', 'tokenUrl', 'user', 'password', 'scope'] as const),
  ...(['peopleFilter', 'departmentFilter', 'pageSize', 'columns', 'timeoutSeconds'] as const),
]

type SourceForm = {
  fields: readonly SourceField[]
  /** The default port; empty: none. */
  port: string
  /** Parts of the message keys of fields that this kind calls otherwise, the first that has a message. */
  words?: readonly string[]
  /** Options to begin with. */
  initial?: Partial<SourceOptions>
  /** Placeholders. */
  examples?: Partial<Record<SourceField, string>>
}

export const SOURCE_FORMS: Record<DataSourceKind, SourceForm> = {
  postgresql: { fields: DATABASE, port: '5432' },
  mysql: { fields: DATABASE, port: '3306' },
  sqlserver: { fields: DATABASE, port: '1433' },
  oracle: {
    fields: ['host', 'port', 'database', 'user', 'password', 'tls', 'timeoutSeconds'],
    port: '1521',
    words: ['oracle'],
    examples: { database: 'ORCLPDB1' },
  },
  ldap: {
    fields: LDAP,
    port: '636',
    words: ['ldap'],
    examples: {
      database: 'dc=school,dc=example',
      user: 'cn=reader,dc=school,dc=example',
      peopleFilter: '(objectClass=person)',
      departmentFilter: '(objectClass=organizationalUnit)',
    },
  },
  ad: {
    fields: LDAP,
    port: '636',
    words: ['ldap'],
    examples: {
      database: 'DC=school,DC=example',
      user: 'gatehouse@school.example',
      peopleFilter: '(&(objectCategory=person)(objectClass=user))',
      departmentFilter: '(objectCategory=organizationalUnit)',
    },
  },
  rest: {
    fields: REST,
    port: '',
    words: ['rest'],
    examples: {
      url: 'https://hr.school.example/api/people',
      departmentsUrl: 'https://hr.school.example/api/departments',
      headerName: 'X-API-Key',
      tokenUrl: 'https://hr.school.example/oauth2/token',
      rowsPath: 'data.items',
      totalPath: 'data.total',
    },
  },
  scim: {
    fields: SCIM,
    port: '',
    words: ['scim', 'rest'],
    initial: { auth: 'bearer' },
    examples: {
      url: 'https://hr.school.example/scim/v2',
      headerName: 'X-API-Key',
      tokenUrl: 'https://hr.school.example/oauth2/token',
      peopleFilter: 'active eq true',
      departmentFilter: 'displayName sw "Faculty"',
    },
  },
  wecom: {
    fields: ['user', 'password', 'url', 'timeoutSeconds'],
    port: '',
    words: ['wecom'],
    examples: { url: 'https://qyapi.weixin.qq.com' },
  },
  dingtalk: {
    fields: ['user', 'password', 'rootIds', 'url', 'timeoutSeconds'],
    port: '',
    words: ['dingtalk'],
    examples: { url: 'https://oapi.dingtalk.com', rootIds: '1' },
  },
  'csv-sftp': {
    fields: ['host', 'port', 'user', 'sftpAuth', 'password', 'hostKey', 'path', 'doneSuffix', 'timeoutSeconds'],
    port: '22',
    words: ['sftp'],
    examples: { path: '/export/people-*.csv', hostKey: 'ssh-ed25519 SHA256:…', doneSuffix: '.done' },
  },
  'csv-upload': { fields: [], port: '' },
}

/** Parts of the message keys of the fields. */
export function wordsOf({ kind, options }: Pick<Shown, 'kind' | 'options'>): readonly string[] {
  return needsPrivateKey({ kind, options }) ? ['sftp-key'] : (SOURCE_FORMS[kind].words ?? [])
}

/** Is the secret a private key, which needs several lines? */
export const needsPrivateKey = ({ kind, options }: Pick<Shown, 'kind' | 'options'>): boolean =>
  kind === 'csv-sftp' && options.sftpAuth === 'key'

type Shown = Pick<DataSourceFields, 'kind' | 'tls'> & { options: SourceOptions }

/** The authentication and paging methods to which a field of REST or SCIM applies. */
const FIELD_AUTHS: Partial<Record<SourceField, readonly SourceOptions['auth'][]>> = {
  user: ['basic', 'oauth2'],
  password: ['basic', 'bearer', 'header', 'oauth2'],
  headerName: ['header'],
  tokenUrl: ['oauth2'],
  scope: ['oauth2'],
}
const FIELD_PAGINGS: Partial<Record<SourceField, readonly SourceOptions['paging'][]>> = {
  pageParameter: ['page', 'offset', 'index', 'cursor'],
  firstPage: ['page'],
  cursorPath: ['cursor', 'link'],
  sizeParameter: ['page', 'offset', 'index', 'cursor', 'link'],
  pageSize: ['page', 'offset', 'index', 'cursor', 'link'],
}

/** Hides fields that have no effect with the selected options. */
export function isFieldShown(field: SourceField, { kind, tls, options }: Shown): boolean {
  if (kind === 'rest' || kind === 'scim') {
    const isPaged = kind === 'scim' || (FIELD_PAGINGS[field]?.includes(options.paging) ?? true)
    return isPaged && (FIELD_AUTHS[field]?.includes(options.auth) ?? true)
  }
  if (field === 'startTls') return tls !== 'off'
  if (field === 'ca') return tls === 'verify'
  return true
}
