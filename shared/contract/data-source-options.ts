import { z } from 'zod'

const text = (most: number) => z.string().trim().max(most).default('')

export const REST_AUTHS = ['none', 'basic', 'bearer', 'header', 'oauth2'] as const
/**
 * By page number, by number of rows to skip, by number of the first row counted from 1, by a cursor from the previous
 * page, or by a link in the answer or in its `Link` header.
 */
export const REST_PAGINGS = ['none', 'page', 'offset', 'index', 'cursor', 'link'] as const

/** The kind of an SFTP user's secret; a private key has no passphrase. */
export const SFTP_AUTHS = ['password', 'key'] as const

/** The options of a source besides host, user and password; a kind keeps only those listed in `OPTIONS_OF`. */
export const SourceOptions = z.strictObject({
  /** LDAP: encryption starts on the plain port before the login; otherwise from the first byte. */
  startTls: z.boolean().default(false),
  /** LDAP: the filters for people and departments; empty: the kind's default. SCIM: for users and groups (RFC 7644 3.4.2.2). */
  peopleFilter: text(1000),
  departmentFilter: text(1000),
  /** Additional columns, separated by commas or spaces. */
  columns: text(2000),
  /**
   * Address books: the vendor's API, or a proxy. REST: the addresses of people and departments. SCIM: the address that
   * `/Users` is below. https, or http without encryption.
   */
  url: text(2000),
  departmentsUrl: text(2000),
  /** REST and SCIM: the kind of authentication. The password is the secret of each. */
  auth: z.enum(REST_AUTHS).default('none'),
  /** For `header`. */
  headerName: text(100),
  /** For `oauth2`. */
  tokenUrl: text(2000),
  scope: text(500),
  paging: z.enum(REST_PAGINGS).default('none'),
  /** The parameters for page number, offset, first row or cursor, and for the page size. */
  pageParameter: text(100),
  sizeParameter: text(100),
  pageSize: z.number().int().min(1).max(10_000).default(100),
  firstPage: z.number().int().min(0).max(1).default(1),
  /** Dotted paths to the rows, to the next cursor or link, and to the total. */
  rowsPath: text(200),
  cursorPath: text(200),
  totalPath: text(200),
  sftpAuth: z.enum(SFTP_AUTHS).default('password'),
  /** SFTP: the host key, as `ssh-ed25519 SHA256:…`; empty: not confirmed, so there is no login. */
  hostKey: text(200),
  /** SFTP: a file, or with `*` and `?` in its name the newest match. */
  path: text(1000),
  /** SFTP: the suffix of the marker file that is written after the file; empty: none. */
  doneSuffix: text(20),
  /** DingTalk: the ids of the top departments, when an app does not see the root. */
  rootIds: text(500),
})
export type SourceOptions = z.output<typeof SourceOptions>

export const NO_OPTIONS: SourceOptions = SourceOptions.parse({})

const LDAP = ['startTls', 'peopleFilter', 'departmentFilter', 'columns'] as const

const HTTP = ['url', 'auth', 'headerName', 'tokenUrl', 'scope', 'columns'] as const

const REST = [
  ...HTTP,
  'departmentsUrl' as const,
  ...([
    'paging',
    'pageParameter',
    'sizeParameter',
    'pageSize',
    'firstPage',
    'rowsPath',
    'cursorPath',
    'totalPath',
  ] as const),
]

/** The options of each kind. */
export const OPTIONS_OF = {
  postgresql: [],
  mysql: [],
  sqlserver: [],
  oracle: [],
  ldap: LDAP,
  ad: LDAP,
  rest: REST,
  scim: [...HTTP, 'peopleFilter', 'departmentFilter', 'pageSize'],
  wecom: ['url'],
  dingtalk: ['url', 'rootIds'],
  'csv-sftp': ['sftpAuth', 'hostKey', 'path', 'doneSuffix'],
  'csv-upload': [],
} as const satisfies Record<string, readonly (keyof SourceOptions)[]>
