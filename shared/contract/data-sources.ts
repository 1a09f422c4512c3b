import { z } from 'zod'
import { NO_OPTIONS, SourceOptions } from './data-source-options.ts'
import { Id, post } from './endpoint.ts'
import { EntryName } from './organizations.ts'
import { resourceCalls } from './resource-calls.ts'
import { SHEET_ERRORS } from './sheets.ts'
import { SECRET_PLACEHOLDER } from './stored-secret.ts'
import { DEPARTMENT_FIELDS } from './sync-departments.ts'
import { ImportField, MAX_IMPORT_BYTES } from './user-imports.ts'

export const DATA_SOURCE_KINDS = [
  'postgresql',
  'mysql',
  'sqlserver',
  'oracle',
  'ldap',
  'ad',
  'rest',
  'scim',
  'wecom',
  'dingtalk',
  'csv-sftp',
  'csv-upload',
] as const
export type DataSourceKind = (typeof DATA_SOURCE_KINDS)[number]

/** Kinds with one unnamed table. */
export const isFileSource = (kind: DataSourceKind): boolean => kind === 'csv-upload' || kind === 'csv-sftp'

/** Kinds whose tables have the names that the institution gave them. */
const DATABASE_KINDS: readonly DataSourceKind[] = ['postgresql', 'mysql', 'sqlserver', 'oracle']
export const isDatabase = (kind: DataSourceKind): boolean => DATABASE_KINDS.includes(kind)

/** Kinds with support for a change column. */
export const hasCursor = (kind: DataSourceKind): boolean => isDatabase(kind) || kind === 'scim'

/** Can this column tell what has changed in a source of this kind? */
export const isCursorColumn = (kind: DataSourceKind, column: string): boolean =>
  hasCursor(kind) && (kind !== 'scim' || column === 'meta.lastModified')

const Kind = z.enum(DATA_SOURCE_KINDS)

/** `verify`: a trusted certificate for this host; `require`: encrypted, any certificate; `off`: unencrypted. */
export const DATA_SOURCE_TLS = ['verify', 'require', 'off'] as const

export const MAX_DATA_SOURCES = 100

/** Fits a private key of 8,192 bits. */
export const MAX_SOURCE_SECRET = 8000

const text = (most: number) => z.string().trim().max(most).default('')

export const DataSourceFields = z.strictObject({
  name: EntryName,
  kind: Kind,
  /** For other systems; unused for an uploaded file. */
  host: text(255),
  /** 0: the kind's default. */
  port: z.number().int().min(0).max(65_535).default(0),
  /** LDAP: the search base. */
  database: text(255),
  /** WeCom: the corporation; DingTalk: the app; LDAP: a distinguished name, for Active Directory `name@domain`. */
  user: text(255),
  /** Never shown: the placeholder keeps the stored one, as long as the destination is unchanged. */
  password: z.string().max(MAX_SOURCE_SECRET).default(''),
  tls: z.enum(DATA_SOURCE_TLS).default('verify'),
  /** PEM certificates that are trusted instead of the public authorities. */
  ca: text(20_000),
  /** How long the other side may be silent. */
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
  /** The uploaded file; null: none yet. */
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
    /** The stored password would be sent to another destination than it was entered for. */
    'settings.secret-needed',
  ],
  /** It is used by a sync. */
  removalErrors: ['data-source.in-use'],
})

/** The failures of a test; each has the message `data-source-problem.<name>`. */
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
  'forbidden-address',
  'failed',
] as const

const Column = z.object({
  name: z.string(),
  type: z.string(),
  /** The suggested field of a person, by name. */
  suggested: ImportField.nullable(),
  /** If the table holds departments. */
  suggestedForDepartments: z.enum(DEPARTMENT_FIELDS).nullable(),
})

/** The steps of a test, in order; each has the message `data-source-step.<name>`. */
export const SOURCE_STEPS = ['connect', 'tables', 'columns', 'rows', 'rights', 'count', 'key'] as const

const SourceTest = z.object({
  /** The steps so far; the last one failed. */
  steps: z.array(z.object({ step: z.enum(SOURCE_STEPS), isOk: z.boolean(), milliseconds: z.number().int() })),
  isOk: z.boolean(),
  problem: z.enum(SOURCE_PROBLEMS).nullable(),
  /** In the caller's language, with the other side's message. */
  message: z.string().nullable(),
  /** The key of an SFTP server, if it differs from the stored one or is not confirmed yet. */
  hostKey: z.string().nullable(),
  server: z.string(),
  isEncrypted: z.boolean(),
  /** The user has write access, which it should not; null: unknown. */
  mayWrite: z.boolean().nullable(),
  /** The first two hundred tables and views. */
  tables: z.array(z.string()),
  /** Of the requested table. */
  columns: z.array(Column),
  /** Number of rows; with `isWhole` false only of those read. */
  count: z.number().int(),
  /** False: too large to be read completely for a test; the key was checked only for that part. */
  isWhole: z.boolean(),
  /** The first twenty, masked. */
  rows: z.array(z.array(z.string())),
  /** For the requested column: repeated values, and rows without one. */
  key: z.object({ column: z.string(), repeated: z.number().int(), empty: z.number().int() }).nullable(),
})
export type SourceTest = z.infer<typeof SourceTest>

export const testDataSource = post(
  '/data_source/test/',
  'superUser',
  DataSourceFields.extend({
    /**
     * The stored source, whose password the placeholder represents and whose state the test updates; absent: a new one.
     */
    id: Id.optional(),
    /** A table or view, `schema.name` or `name`; absent: only list them. */
    table: text(200),
    /** The column that identifies a person. */
    keyColumn: text(200),
  }),
  SourceTest,
  {
    summary: 'Test an external data source: rights, tables, columns, masked rows; nothing is stored',
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
  summary: 'Upload the file of a source, replacing the previous one',
  errors: ['resource.not-found', 'data-source.not-a-file', 'data-source.no-rows', ...SHEET_ERRORS],
  mostBodyBytes: MAX_IMPORT_BYTES,
  upload: true,
})
