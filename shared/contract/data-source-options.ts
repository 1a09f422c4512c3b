import { z } from 'zod'

const text = (most: number) => z.string().trim().max(most).default('')

export const REST_AUTHS = ['none', 'basic', 'bearer', 'header', 'oauth2'] as const
/** By the number of the page, how many rows to skip, a cursor of the page before, or a link in it or in its `Link` header. */
export const REST_PAGINGS = ['none', 'page', 'offset', 'cursor', 'link'] as const

/** What the secret of an SFTP user is; a private key has no passphrase. */
export const SFTP_AUTHS = ['password', 'key'] as const

/** What a source has besides host, user and password; a kind keeps those that `OPTIONS_OF` names and no others. */
export const SourceOptions = z.strictObject({
  /** LDAP: encryption begins on the plain port, before anybody logs in; otherwise from the first byte on. */
  startTls: z.boolean().default(false),
  /** LDAP: who is read as people, as departments; empty: the usual of the kind. */
  peopleFilter: text(1000),
  departmentFilter: text(1000),
  /** Columns besides those that are found by themselves, separated by commas or spaces. */
  columns: text(2000),
  /** Of address books: the vendor's interface, or what stands before it. REST: where people are read, and departments if there are any; https, or http without encryption. */
  url: text(2000),
  departmentsUrl: text(2000),
  /** REST: by what it knows us. The password is the secret of all of them. */
  auth: z.enum(REST_AUTHS).default('none'),
  /** Of `header`. */
  headerName: text(100),
  /** Of `oauth2`. */
  tokenUrl: text(2000),
  scope: text(500),
  paging: z.enum(REST_PAGINGS).default('none'),
  /** Name of the parameter with the number, offset or cursor; of the one with the size. */
  pageParameter: text(100),
  sizeParameter: text(100),
  pageSize: z.number().int().min(1).max(10_000).default(100),
  firstPage: z.number().int().min(0).max(1).default(1),
  /** Dotted paths: to the rows, to the next cursor or link, to how many rows there are. */
  rowsPath: text(200),
  cursorPath: text(200),
  totalPath: text(200),
  sftpAuth: z.enum(SFTP_AUTHS).default('password'),
  /** SFTP: the key that the server has to show, as `ssh-ed25519 SHA256:…`; empty: nobody has confirmed one, so nobody logs in. */
  hostKey: text(200),
  /** SFTP: a file, or with `*` and `?` in its name the newest of those that match. */
  path: text(1000),
  /** SFTP: beside a file that is whole stands another one with this at the end of its name; empty: none is waited for. */
  doneSuffix: text(20),
  /** DingTalk: the ids of the departments that it begins with, when an app does not see the top one. */
  rootIds: text(500),
})
export type SourceOptions = z.output<typeof SourceOptions>

export const NO_OPTIONS: SourceOptions = SourceOptions.parse({})

const LDAP = ['startTls', 'peopleFilter', 'departmentFilter', 'columns'] as const

const REST = [
  ...(['url', 'departmentsUrl', 'auth', 'headerName', 'tokenUrl', 'scope', 'columns'] as const),
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

/** What of the options each kind has. */
export const OPTIONS_OF = {
  postgresql: [],
  mysql: [],
  sqlserver: [],
  oracle: [],
  ldap: LDAP,
  ad: LDAP,
  rest: REST,
  wecom: ['url'],
  dingtalk: ['url', 'rootIds'],
  'csv-sftp': ['sftpAuth', 'hostKey', 'path', 'doneSuffix'],
  'csv-upload': [],
} as const satisfies Record<string, readonly (keyof SourceOptions)[]>
