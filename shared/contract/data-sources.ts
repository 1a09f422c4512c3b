import { z } from 'zod'
import { NO_OPTIONS, SourceOptions } from './data-source-options.ts'
import { Id, post } from './endpoint.ts'
import { SECRET_PLACEHOLDER } from './message-gateways.ts'
import { EntryName } from './organizations.ts'
import { resourceCalls } from './resource-calls.ts'
import { SHEET_ERRORS } from './sheets.ts'
import { ImportField, MAX_IMPORT_BYTES } from './user-imports.ts'

export const DATA_SOURCE_KINDS = [
  'postgresql',
  'mysql',
  'sqlserver',
  'oracle',
  'ldap',
  'ad',
  'rest',
  'wecom',
  'dingtalk',
  'csv-sftp',
  'csv-upload',
] as const
export type DataSourceKind = (typeof DATA_SOURCE_KINDS)[number]

/** Those that hold one table, which has no name. */
export const isFileSource = (kind: DataSourceKind): boolean => kind === 'csv-upload' || kind === 'csv-sftp'

const Kind = z.enum(DATA_SOURCE_KINDS)

/** `verify`: a trusted certificate of this very host; `require`: encrypted, whoever it is; `off`: as it comes. */
export const DATA_SOURCE_TLS = ['verify', 'require', 'off'] as const

export const MAX_DATA_SOURCES = 100

/** A private key of 8,192 bits fits. */
export const MAX_SOURCE_SECRET = 8000

const text = (most: number) => z.string().trim().max(most).default('')

export const DataSourceFields = z.strictObject({
  name: EntryName,
  kind: Kind,
  /** What follows is of other systems; an uploaded file has none of it. */
  host: text(255),
  /** 0: the usual one of the kind. */
  port: z.number().int().min(0).max(65_535).default(0),
  /** Of LDAP: the base below which is read. */
  database: text(255),
  /** Of WeCom the corporation, of DingTalk the app; of LDAP a distinguished name, or at Active Directory `name@domain`. */
  user: text(255),
  /** Never shown: stars stand for the stored one, as long as everything that says where it goes stays the same. */
  password: z.string().max(MAX_SOURCE_SECRET).default(''),
  tls: z.enum(DATA_SOURCE_TLS).default('verify'),
  /** Certificates in PEM that are trusted in the place of the public ones. */
  ca: text(20_000),
  /** How long the other side may stay silent. */
  timeoutSeconds: z.number().int().min(5).max(600).default(60),
  options: SourceOptions.default(NO_OPTIONS),
  note: text(500),
})
export type DataSourceFields = z.output<typeof DataSourceFields>

const SourceFile = z.object({
  name: z.string(),
  rows: z.number().int(),
  uploadedAt: z.iso.datetime(),
})

const DataSource = DataSourceFields.extend({
  id: Id,
  version: z.number().int(),
  password: z.union([z.literal(''), z.literal(SECRET_PLACEHOLDER)]),
  /** Of the last test. */
  state: z.enum(['untested', 'ok', 'failing']),
  /** Why the last test failed, in words. */
  problem: z.string().nullable(),
  checkedAt: z.iso.datetime().nullable(),
  /** Of an uploaded file; null: none yet. */
  file: SourceFile.nullable(),
  updatedAt: z.iso.datetime(),
})
export type DataSource = z.infer<typeof DataSource>

export const dataSources = resourceCalls({
  path: '/data_source',
  one: 'an external data source',
  many: 'external data sources',
  searched: 'part of a name, host, database or note',
  fields: DataSourceFields,
  row: DataSource,
  filters: { kind: Kind.optional(), state: z.enum(['untested', 'ok', 'failing']).optional() },
  sorts: ['name', '-name', 'updatedAt', '-updatedAt'],
  errors: [
    'data-source.name-taken',
    'data-source.incomplete',
    'data-source.bad-ca',
    'data-source.bad-filter',
    'data-source.bad-address',
    'data-source.bad-key',
    'data-source.bad-host-key',
    'data-source.bad-path',
    'data-source.too-many',
    /** The stored password would be sent to another place than the one it was typed for. */
    'settings.secret-needed',
  ],
  /** A sync reads it. */
  removalErrors: ['data-source.in-use'],
})

/** What a test could not do; each has the message `data-source-problem.<name>`. */
export const SOURCE_PROBLEMS = [
  'unreachable',
  'login-refused',
  'tls',
  'no-database',
  'no-table',
  'no-column',
  'no-rights',
  'timeout',
  'cut-off',
  'no-file',
  'limited',
  'referral',
  'repeated-page',
  'host-key-unknown',
  'host-key-changed',
  'no-remote-file',
  'unfinished',
  'address-refused',
  'failed',
] as const

const Column = z.object({
  name: z.string(),
  type: z.string(),
  /** What it would fill, by its name. */
  suggested: ImportField.nullable(),
})

/** What a test does, in this order; each has the message `data-source-step.<name>`. */
export const SOURCE_STEPS = ['connect', 'tables', 'columns', 'rows', 'rights', 'count', 'key'] as const

const SourceTest = z.object({
  /** As far as it came; the last one is the one that failed. */
  steps: z.array(z.object({ step: z.enum(SOURCE_STEPS), isOk: z.boolean(), milliseconds: z.number().int() })),
  isOk: z.boolean(),
  problem: z.enum(SOURCE_PROBLEMS).nullable(),
  /** In the language of who asks, with what the other side said. */
  message: z.string().nullable(),
  /** Of an SFTP server that shows another key than is stored, or whose key nobody has confirmed yet. */
  hostKey: z.string().nullable(),
  server: z.string(),
  isEncrypted: z.boolean(),
  /** The user may do more than read there: it should not; null: the other side tells nobody. */
  mayWrite: z.boolean().nullable(),
  /** Tables and views, the first two hundred. */
  tables: z.array(z.string()),
  /** Of the table that was asked for. */
  columns: z.array(Column),
  /** Rows; of those that were read where `isWhole` is false. */
  count: z.number().int(),
  /** False: an address book so large that it was read for a while only; what is told of the key is of that part. */
  isWhole: z.boolean(),
  /** The first twenty, masked. */
  rows: z.array(z.array(z.string())),
  /** Of the column that was asked for: values that several rows have, and rows without one. */
  key: z.object({ column: z.string(), repeated: z.number().int(), empty: z.number().int() }).nullable(),
})
export type SourceTest = z.infer<typeof SourceTest>

export const testDataSource = post(
  '/data_source/test/',
  'superUser',
  DataSourceFields.extend({
    /** The stored one whose password the stars mean, and whose state the test notes; absent: a new one. */
    id: Id.optional(),
    /** A table or view, `schema.name` or `name`; absent: only which there are. */
    table: text(200),
    /** The column that tells one person from another. */
    keyColumn: text(200),
  }),
  SourceTest,
  {
    summary: 'Connect to an external data source and look at it: rights, tables, columns, masked rows; nothing is kept',
    errors: [
      'data-source.incomplete',
      'data-source.bad-ca',
      'data-source.bad-filter',
      'data-source.bad-address',
      'data-source.bad-key',
      'data-source.bad-host-key',
      'data-source.bad-path',
      'settings.secret-needed',
      'service.busy',
    ],
  },
)

export const uploadSourceFile = post('/data_source/{id}/upload/', 'superUser', z.strictObject({}), DataSource, {
  query: z.strictObject({ id: Id, fileName: z.string().trim().min(1).max(255) }),
  summary: 'The file of a source of uploaded files, in the place of the one before',
  errors: ['resource.not-found', 'data-source.not-a-file', 'data-source.no-rows', ...SHEET_ERRORS],
  mostBodyBytes: MAX_IMPORT_BYTES,
  upload: true,
})
