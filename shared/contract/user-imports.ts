import { z } from 'zod'
import { Empty, get, Id, ListQuery, pageOf, post } from './endpoint.ts'
import { CustomFieldName } from './field-rules.ts'
import { SHEET_ERRORS } from './sheets.ts'
import { listUsers } from './users.ts'

export const MAX_IMPORT_BYTES = 50 * 1024 * 1024
export const MAX_IMPORT_ROWS = 200_000
export const MAX_IMPORT_COLUMNS = 256
/** For a row: thirty columns of three hundred each. For a file: five hundred per person of the largest institution. */
export const MAX_IMPORT_ROW_CHARACTERS = 10_000
export const MAX_IMPORT_CHARACTERS = 100_000_000

/**
 * The fields that a column can fill, in template order; each has the messages `import-field.<name>` and
 * `import-help.<name>`.
 */
export const IMPORT_FIELDS = [
  'account',
  'name',
  'category',
  'organization',
  'secondaryOrganizations',
  'personnelType',
  'gender',
  'birthday',
  'phone',
  'mailbox',
  'alias',
  'nickname',
  'idNumber',
  'roles',
  'validFrom',
  'validUntil',
  'enabled',
] as const
export type ProductImportField = (typeof IMPORT_FIELDS)[number]
/** A built-in field, or a custom one. */
export const ImportField = z.union([z.enum(IMPORT_FIELDS), CustomFieldName])
export type ImportField = z.infer<typeof ImportField>

/** The field filled by each column; null: none. */
const Mapping = z
  .array(ImportField.nullable())
  .max(MAX_IMPORT_COLUMNS)
  .refine((fields) => new Set(fields.filter(Boolean)).size === fields.filter(Boolean).length)

/** `doubtful`: would change a person with another name, gender or birthday; excluded unless accepted. */
const Outcome = z.enum(['new', 'changed', 'doubtful', 'unchanged', 'bad'])
export type ImportOutcome = z.infer<typeof Outcome>

/**
 * `reading` the file is being uploaded · `checked` the dry run is done · `finished` all good rows are imported ·
 * `cancelled` some of them are.
 */
const ImportState = z.enum([
  'reading',
  'read',
  'checking',
  'checked',
  'importing',
  'finished',
  'cancelled',
  'failed',
  'undoing',
  'undone',
])
export type ImportState = z.infer<typeof ImportState>

const Counts = z.object({
  new: z.number().int(),
  changed: z.number().int(),
  doubtful: z.number().int(),
  /** The number of doubtful rows that were accepted. */
  accepted: z.number().int(),
  unchanged: z.number().int(),
  bad: z.number().int(),
  /** The number of imported rows among the new, changed and accepted ones. */
  written: z.number().int(),
})

export const ImportRun = z.object({
  id: Id,
  ownerName: z.string(),
  fileName: z.string(),
  format: z.enum(['csv', 'xlsx']),
  /** For a csv file: the detected encoding and separator. */
  encoding: z.string(),
  separator: z.string(),
  state: ImportState,
  headings: z.array(z.string()),
  mapping: z.array(ImportField.nullable()),
  /** The first rows as read. */
  examples: z.array(z.array(z.string())),
  rowCount: z.number().int(),
  counts: Counts,
  undo: z.object({ undone: z.number().int(), partly: z.number().int(), kept: z.number().int() }).nullable(),
  /** The current or last background task. */
  task: z
    .object({
      id: Id,
      state: z.string(),
      done: z.number().int(),
      total: z.number().int(),
      error: z.string().nullable(),
    })
    .nullable(),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  version: z.number().int(),
})
export type ImportRun = z.infer<typeof ImportRun>

export const uploadImport = post('/user_information/import/upload/', 'administrator:import', Empty, ImportRun, {
  query: z.strictObject({ fileName: z.string().trim().min(1).max(200) }),
  summary:
    'Read a file of people (xlsx or csv by content, 50 MiB, 200,000 rows, 100 million characters); nothing is imported yet',
  errors: [
    ...SHEET_ERRORS,
    'import.busy',
    'import.no-room',
    'import.no-rows',
    'import.not-excel',
    'import.too-large',
    'request.malformed',
  ],
  upload: true,
  mostBodyBytes: MAX_IMPORT_BYTES,
})

const ImportPath = z.strictObject({ id: Id })
const Format = z.enum(['csv', 'xlsx']).default('xlsx')

export const importTemplate = get(
  '/user_information/import/template/',
  'administrator:import',
  z.strictObject({ format: Format }),
  z.null(),
  { summary: 'The import template, with examples and help in the caller’s language' },
)

export const listImports = get(
  '/user_information/import/query/',
  'administrator:import',
  ListQuery.extend({ sort: z.enum(['createdAt', '-createdAt']).default('-createdAt') }),
  pageOf(ImportRun.omit({ headings: true, mapping: true, examples: true })),
  { summary: 'My imports of people; super users see everyone’s', errors: ['list.too-deep'] },
)
export type ImportListed = z.infer<typeof listImports.output>['records'][number]

export const importDetails = get('/user_information/{id}/import/', 'administrator:import', ImportPath, ImportRun, {
  summary: 'The progress of an import',
  errors: ['import.not-found'],
})

const ImportStep = z.strictObject({ version: z.number().int() })
const stepErrors = ['import.expired', 'import.not-found', 'import.wrong-state', 'version.conflict'] as const

export const checkImport = post(
  '/user_information/{id}/import/check/',
  'administrator:import',
  ImportStep.extend({ mapping: Mapping }),
  ImportRun,
  {
    query: ImportPath,
    summary: 'Dry run with these columns: the effect of the import, row by row',
    errors: [...stepErrors, 'import.no-account-column', 'import.columns-not-allowed'],
  },
)
/** Row numbers of the report; `all`: every doubtful one. */
const DoubtfulRows = z.union([
  z.strictObject({ rows: z.array(z.number().int().positive()).min(1).max(1000) }),
  z.strictObject({ all: z.literal(true) }),
])
export const acceptImportRows = post(
  '/user_information/{id}/import/accept/',
  'administrator:import',
  ImportStep.extend({ selection: DoubtfulRows, accepted: z.boolean() }),
  ImportRun,
  {
    query: ImportPath,
    summary: 'Accept or exclude rows whose number belongs to a person with another name, gender or birthday',
    errors: stepErrors,
  },
)
export const startImport = post('/user_information/{id}/import/start/', 'administrator:import', ImportStep, ImportRun, {
  query: ImportPath,
  summary: 'Import the good rows in the background; also resumes a cancelled import',
  errors: stepErrors,
})
export const undoImport = post('/user_information/{id}/import/undo/', 'administrator:import', ImportStep, ImportRun, {
  query: ImportPath,
  summary: 'Undo an import in the background, except what was changed since',
  errors: stepErrors,
})

/** A problem of one cell. */
const RowProblem = z.object({
  /** The heading of the column; null: the whole row. */
  column: z.string().nullable(),
  value: z.string(),
  reason: z.string(),
})

/** Of a field that changes. Empty: no value. Null where it is used: not shown, or only to super users. */
export const ShownValues = z.object({ before: z.string(), after: z.string() })

const RowChange = z.object({ field: ImportField, values: ShownValues.nullable() })

export const ImportRow = z.object({
  row: z.number().int(),
  account: z.string(),
  name: z.string(),
  outcome: Outcome,
  /** For a doubtful row: it was accepted. */
  accepted: z.boolean(),
  written: z.boolean(),
  problems: z.array(RowProblem),
  /** What importing would change about an existing person. */
  changes: z.array(RowChange),
  /** The result of undoing it. */
  undo: z.string().nullable(),
})
export type ImportRow = z.infer<typeof ImportRow>

export const listImportRows = get(
  '/user_information/{id}/import/rows/',
  'administrator:import',
  ListQuery.omit({ search: true }).extend({ id: Id, outcome: Outcome.optional() }),
  pageOf(ImportRow),
  {
    summary: 'The rows of an import with their findings, problems first',
    errors: ['import.not-found', 'list.too-deep'],
  },
)

export const downloadImport = get(
  '/user_information/{id}/import/download/',
  'administrator:import',
  ImportPath.extend({ rows: z.enum(['bad', 'all']).default('bad') }),
  z.null(),
  {
    summary: 'The file in its own format, with a column of problems; `bad`: including excluded doubtful rows',
    errors: ['import.not-found', 'import.expired', 'export.busy'],
  },
)

export const exportUsers = get(
  '/user_information/export/',
  'administrator:import',
  listUsers.query.omit({ pageIndex: true, pageSize: true }).extend({
    format: z.enum(['csv', 'xlsx']),
    /** The browser's zone for times; dates are the institution's. */
    timeZone: z.string().max(60).optional(),
  }),
  z.null(),
  {
    summary: 'Export the filtered list of people; phones and email addresses unmasked where the caller may edit',
    errors: ['export.busy'],
  },
)
