import { z } from 'zod'
import { DirectorySyncFields, SyncResponsible } from './directory-syncs.ts'
import { Done, get, Id, post } from './endpoint.ts'
import { EntryName } from './organizations.ts'
import { resourceCalls } from './resource-calls.ts'
import { SECRET_PLACEHOLDER } from './stored-secret.ts'
import { RunProgress, SyncRow, SyncRunBase, SyncRunState } from './sync-runs.ts'
import { vendorHost } from './vendor-setting-fields.ts'

export const BOOK_VENDORS = ['qywx', 'dingding'] as const
/** Mail providers whose mailboxes are created and disabled by runs. */
export const MAILBOX_VENDORS = ['exmail', 'coremail'] as const
export type MailboxVendor = (typeof MAILBOX_VENDORS)[number]
export type BookVendor = (typeof BOOK_VENDORS)[number] | MailboxVendor
export const isMailProvider = (vendor: BookVendor): vendor is MailboxVendor =>
  (MAILBOX_VENDORS as readonly string[]).includes(vendor)
/** What is sent of a person besides account, name and department. */
export const BOOK_FIELDS = ['mobile', 'email'] as const
/** What happens there to people no longer selected here. `disable`: not DingTalk; `delete`: never a mailbox. */
export const BOOK_LEAVERS = ['keep', 'disable', 'delete'] as const

/** `off`: no runs · `preview`: runs plan and write nothing. */
export const BOOK_MODES = ['off', 'preview', 'on'] as const

/** The default host of each vendor; empty: there is none. */
export const BOOK_HOSTS: Readonly<Record<BookVendor, string>> = {
  qywx: 'https://qyapi.weixin.qq.com',
  dingding: 'https://oapi.dingtalk.com',
  exmail: 'https://api.exmail.qq.com',
  coremail: '',
}

const Root = z.strictObject({
  organizationId: Id,
  /** The corresponding department there; 1 is the whole corporation. */
  departmentId: z
    .number()
    .int()
    .min(1)
    .max(2 ** 32 - 1)
    .default(1),
})

/** Names the row whose department is already used by another one. */
function refuseRepeated(roots: readonly z.output<typeof Root>[], context: z.RefinementCtx): void {
  const ids = roots.map(({ organizationId }) => organizationId)
  const at = ids.findIndex((id, index) => ids.indexOf(id) < index)
  if (at >= 0) context.addIssue({ code: 'custom', message: 'each once', path: [at, 'organizationId'] })
}

const CoremailId = z
  .string()
  .trim()
  .regex(/^[\w.-]{1,60}$/, 'expected letters, digits, _ . and -')

/** Where Coremail creates a mailbox; its administrator knows the ids. */
const CoremailPlace = z.strictObject({ orgId: CoremailId, providerId: CoremailId, cosId: CoremailId })
export type CoremailPlace = z.output<typeof CoremailPlace>

export const BookSyncFields = z.strictObject({
  name: EntryName,
  vendor: z.enum([...BOOK_VENDORS, ...MAILBOX_VENDORS]),
  mode: z.enum(BOOK_MODES).default('on'),
  /** WeCom, Exmail: the corporation id; DingTalk: the client id (AppKey) of an application; Coremail: the API user. */
  application: z
    .string()
    .trim()
    .regex(/^[\w.-]{1,100}$/, 'expected letters, digits, _ . and -'),
  /** Never shown: the placeholder keeps the stored one, as long as the destination is unchanged. */
  secret: z.string().max(500).default(''),
  /** For a dedicated edition, a proxy or a simulator; empty: the vendor's default. */
  host: z.union([z.literal(''), vendorHost]).default(''),
  /** Coremail only, and required there. */
  coremail: CoremailPlace.nullable().default(null),
  /** A mail provider gets people only; its `departmentId` is where Exmail creates mailboxes. */
  roots: z.array(Root).min(1).max(20).superRefine(refuseRepeated),
  /** Limits who is sent; empty: everybody who is enabled. */
  categoryIds: z.array(Id).max(50).default([]),
  fields: z
    .array(z.enum(BOOK_FIELDS))
    .max(BOOK_FIELDS.length)
    .refine((fields) => new Set(fields).size === fields.length, 'each once')
    .default([...BOOK_FIELDS]),
  leavers: z.enum(BOOK_LEAVERS).default('keep'),
  thresholds: DirectorySyncFields.shape.thresholds,
  responsibleIds: DirectorySyncFields.shape.responsibleIds,
  schedule: DirectorySyncFields.shape.schedule,
  note: z.string().trim().max(500).default(''),
})
export type BookSyncFields = z.output<typeof BookSyncFields>

const WRITES = {
  /** Rows of the plan to be written. */
  toWrite: z.number().int(),
  /** Those of them that were tried so far, whatever came of it. */
  tried: z.number().int(),
}
const BookRun = SyncRunBase.extend(WRITES)
export type BookRun = z.infer<typeof BookRun>

const BookSync = BookSyncFields.extend({
  id: Id,
  version: z.number().int(),
  secret: z.union([z.literal(''), z.literal(SECRET_PLACEHOLDER)]),
  /** Names of the mapped departments here. */
  rootNames: z.array(z.string()),
  /** Of `categoryIds`. */
  categoryNames: z.array(z.string()),
  responsible: z.array(SyncResponsible),
  nextRunAt: z.iso.datetime().nullable(),
  linkedPeople: z.number().int(),
  linkedDepartments: z.number().int(),
  lastRun: z
    .object({ id: Id, state: SyncRunState, startedAt: z.iso.datetime(), progress: RunProgress, ...WRITES })
    .nullable(),
  updatedAt: z.iso.datetime(),
})
export type BookSync = z.infer<typeof BookSync>

export const bookSyncs = resourceCalls({
  path: '/book_sync',
  one: 'the sync of a vendor’s address book',
  many: 'syncs of vendors’ address books',
  searched: 'part of a name or note',
  fields: BookSyncFields,
  row: BookSync,
  filters: { vendor: BookSyncFields.shape.vendor.optional() },
  sorts: ['name', '-name', 'updatedAt', '-updatedAt'],
  errors: [
    'book-sync.name-taken',
    'book-sync.no-secret',
    'book-sync.no-root',
    'book-sync.no-disable',
    'book-sync.no-delete',
    'book-sync.incomplete',
    'book-sync.other-provider',
    'book-sync.one-provider',
    'book-sync.no-category',
    'directory-sync.not-responsible',
    'directory-sync.bad-schedule',
    'directory-sync.bad-zone',
    /** The stored secret would be sent to another destination than it was entered for. */
    'settings.secret-needed',
  ],
  removalErrors: ['book-sync.running'],
})

const ById = z.strictObject({ id: Id })
const Why = z.strictObject({ reason: z.string().trim().min(1).max(500) })

export const startBookSync = post(
  '/book_sync/{id}/start/',
  'superUser',
  z.strictObject({ dryRun: z.boolean() }),
  BookRun,
  {
    query: ById,
    summary:
      'Read the address book and plan; then, unless it is a dry run or held, write there. One run per sync at a time',
    errors: [
      'resource.not-found',
      'book-sync.running',
      'book-sync.off',
      'book-sync.preview-only',
      'book-sync.other-provider',
      'directory-sync.paused',
    ],
  },
)

export const listBookRuns = get(
  '/book_sync_run/query/',
  'superUser',
  z.strictObject({ syncId: Id }),
  z.object({ records: z.array(BookRun) }),
  { summary: 'The last fifty runs of an address book sync, newest first', errors: ['resource.not-found'] },
)

export const bookRunDetails = get(
  '/book_sync_run/{id}/details/',
  'superUser',
  ById.extend({
    outcome: SyncRow.shape.outcome.unwrap().optional(),
    undo: SyncRow.shape.undo.unwrap().optional(),
    /** The number of the previous page's last row. */
    after: z.coerce.number().int().min(0).default(0),
  }),
  z.object({ run: BookRun, rows: z.array(SyncRow) }),
  { summary: 'A run of an address book sync, and a hundred of its rows', errors: ['book-sync.no-run'] },
)

const DECISION_ERRORS = ['book-sync.no-run', 'book-sync.not-waiting']

export const approveBookRun = post('/book_sync_run/{id}/approve/', 'superUser', Why, BookRun, {
  query: ById,
  summary:
    'Write exactly the reviewed plan; rows that no longer match it, here or there, are left unchanged and listed',
  errors: [
    ...DECISION_ERRORS,
    'book-sync.too-old',
    'book-sync.changed',
    'book-sync.running',
    'book-sync.preview-only',
    'directory-sync.paused',
  ],
})

export const discardBookRun = post('/book_sync_run/{id}/discard/', 'superUser', z.strictObject({}), Done, {
  query: ById,
  summary: 'Discard the plan of an address book sync; nothing of it was written',
  errors: DECISION_ERRORS,
})

export const undoBookRun = post('/book_sync_run/{id}/undo/', 'superUser', Why, BookRun, {
  query: ById,
  summary:
    'Undo a run there, row by row, where nobody has changed anything since; created people who have not joined are deleted, created mailboxes disabled',
  errors: ['book-sync.no-run', 'book-sync.not-done', 'book-sync.running', 'directory-sync.paused'],
})
