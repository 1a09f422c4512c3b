import { z } from 'zod'
import { get, Id, Moment, post } from './endpoint.ts'
import { LOGIN_CONFIG_ERRORS } from './login-config.ts'
import { RESOURCE_KINDS } from './resources.ts'

/**
 * The kinds of back-office changes; each has the message `change-kind.<name>`. People's own account events are not
 * included.
 */
export const CHANGE_KINDS = [
  'settings',
  'application',
  'application-category',
  'application-grant',
  'interface',
  'application-interface',
  'application-key',
  'role',
  'role-member',
  'organization',
  'user',
  'session',
  'appointment',
  'user-import',
  'task',
  'records',
  'bootstrap',
  'signing-keys',
  'vendor',
  'corporate-mailbox',
  'language',
  ...RESOURCE_KINDS,
] as const
/** Shown only when filtered for: who read the logs would crowd out the changes. */
export const ASKED_FOR_KINDS: readonly string[] = ['records']
/** Records about a part of a target, which belong to its history. */
export const KINDS_OF_PARTS: Readonly<Partial<Record<string, readonly string[]>>> = {
  application: ['application-grant', 'application-interface', 'application-key'],
}
const ChangeKind = z.enum(CHANGE_KINDS)
export type ChangeKind = z.infer<typeof ChangeKind>

/** The recorded fields of the target, without secrets. */
const Snapshot = z.record(z.string(), z.unknown())

export const Change = z.object({
  id: Id,
  at: z.iso.datetime(),
  /** Its message is `action.<name>`. */
  action: z.string(),
  targetKind: z.string(),
  targetId: z.string(),
  /** The target's current name; null if deleted or unnamed. */
  targetName: z.string().nullable(),
  /** Who did it; null: a job, the start, the command line, or nobody logged in. */
  actor: z.object({ id: Id, account: z.string(), name: z.string() }).nullable(),
  /** `bootstrap`, `command line`, `system` … where nobody was logged in; `administrator` where the name is withheld. */
  actorWord: z.string().nullable(),
  reason: z.string().nullable(),
  ip: z.string().nullable(),
  browser: z.string(),
  device: z.string(),
  requestId: z.string(),
  before: Snapshot.nullable(),
  after: Snapshot.nullable(),
  /** Current names of ids in both states. */
  names: z.record(z.string(), z.string()),
  /** For a person: names of custom fields and their choices, `custom.<key>` and `custom.<key>.<code>`. */
  custom: z.record(z.string(), z.string()).optional(),
  /** Whether the target can be rolled back to the state before, and after. */
  restorable: z.object({ before: z.boolean(), after: z.boolean() }),
  /** The latest of several records of one bootstrap run; null: a single record. */
  folded: z.object({ lines: z.number().int(), firstAt: z.iso.datetime() }).nullable(),
})
export type Change = z.infer<typeof Change>

const CursorPage = {
  pageSize: z.coerce.number().int().min(1).max(100).default(20),
  /** `next` of the previous page. */
  cursor: z
    .string()
    .max(100)
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,6}Z_[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    .refine((text) => Moment.safeParse(text.split('_')[0]).success)
    .optional(),
}
const PageOfChanges = z.object({
  records: z.array(Change),
  next: z.string().nullable(),
  /** Everything since then was searched; null: everything was, or the page is full. */
  searchedBackTo: z.iso.datetime().nullable(),
})

export const listChanges = get(
  '/change_history/query/',
  'superUser',
  z
    .strictObject({
      targetKind: ChangeKind.optional(),
      /** Only together with a kind; then with the records about its parts, such as the grants of an application. */
      targetId: z.string().min(1).max(200).optional(),
      from: Moment.optional(),
      to: Moment.optional(),
      /**
       * Who did it: part of a name, the beginning of an account; or the words for a bootstrap file, the command line,
       * the system.
       */
      by: z.string().trim().max(100).optional(),
      /** Whom or what it concerns, an action, a reason, part of a change; or a complete address or request id. */
      search: z.string().trim().max(100).optional(),
      /** `1`: lists every record of a bootstrap run. */
      unfolded: z.literal('1').optional(),
      ...CursorPage,
    })
    .refine(({ targetKind, targetId }) => !targetId || targetKind, { path: ['targetId'] }),
  PageOfChanges,
  {
    summary:
      'The changes in the back office, newest first: all, of one kind, or of one target. A search reads some thousand records at a time and says how far back it looked',
    errors: ['change.search-too-slow'],
  },
)

export const personChanges = get(
  '/change_history/person/{userId}/',
  'administrator',
  z.strictObject({ userId: Id, ...CursorPage }),
  PageOfChanges,
  {
    summary:
      'The changes that affected a person, newest first, whatever their target; none for a person outside my scope',
  },
)

const Side = z.enum(['before', 'after'])
/** With its time, so that only one partition is read. */
const ChangeKey = { id: Id, at: Moment }

export const previewRollback = get(
  '/change_history/{id}/roll_back/',
  'superUser',
  z.strictObject({ ...ChangeKey, side: Side }),
  z.object({
    targetName: z.string().nullable(),
    /** The current state of the target. */
    current: Snapshot,
    /** The state after the rollback. */
    wanted: Snapshot,
    version: z.number().int(),
    /**
     * What can't be restored, such as a grant to a deleted organisation, or is set by the bootstrap file: it is left
     * out.
     */
    missing: z.array(z.object({ field: z.string(), value: z.string(), isSetByFile: z.boolean().optional() })),
  }),
  {
    summary: 'Preview a rollback of the target to its state before or after a change',
    errors: ['change.not-found', 'change.not-restorable', 'change.target-gone'],
  },
)

export const rollBack = post(
  '/change_history/{id}/roll_back/',
  'superUser',
  z.strictObject({
    at: Moment,
    side: Side,
    /** From the preview. */
    version: z.number().int(),
    reason: z.string().trim().min(1).max(500),
  }),
  z.object({ changed: z.boolean() }),
  {
    summary: 'Roll the target back to its state before or after a change; secrets are unchanged',
    query: z.strictObject({ id: Id }),
    errors: [
      'change.not-found',
      'change.not-restorable',
      'change.target-gone',
      'version.conflict',
      'settings.secret-needed',
      'settings.set-by-file',
      'organization.owned-by-source',
      ...LOGIN_CONFIG_ERRORS,
    ],
  },
)
