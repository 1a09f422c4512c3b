import { z } from 'zod'
import { get, Id, ListQuery, Moment, pageOf, post } from './endpoint.ts'
import { DormancyExemption, FreezeCause, FreezePhase, LockKind, UserFilters, UserRow } from './users.ts'

const {
  state: _state,
  lockedBy: _lockedBy,
  freeze: _freeze,
  freezeCause: _freezeCause,
  dormancy: _dormancy,
  dormantFrom: _dormantFrom,
  dormantTo: _dormantTo,
  neverLoggedIn: _neverLoggedIn,
  search: _search,
  ...personFilters
} = UserFilters.shape
const personColumns = UserRow.pick({ id: true, account: true, name: true, organization: true, category: true }).shape

/** What counted the failures, each with the message `login-hold.<name>`. */
export const LOGIN_HOLDS = ['person', 'device', 'code', 'second-factor'] as const

export const LockedPerson = z.object({
  ...personColumns,
  kind: LockKind,
  since: z.iso.datetime().nullable(),
  /** Null: until somebody unlocks them. */
  until: z.iso.datetime().nullable(),
  reason: z.string().nullable(),
  /** The administrator; told to super users. */
  by: z.string().nullable(),
  /** What too many failures have closed, besides a lock by an administrator too. */
  closed: z.array(z.enum(LOGIN_HOLDS)),
  /** From where the last failed try came, while one is known. */
  lastAddress: z.string().nullable(),
})
export type LockedPerson = z.infer<typeof LockedPerson>

const sorted = { sort: z.enum(['account', '-account', 'name', '-name']).default('account') }

export const listLockedPeople = get(
  '/user_information/locked/query/',
  'administrator',
  ListQuery.extend({
    ...personFilters,
    /** Fixed, so that the filters of this list are those of a verb over it. */
    state: z.literal('locked').default('locked'),
    lockedBy: UserFilters.shape.lockedBy,
    ...sorted,
  }),
  pageOf(LockedPerson),
  { summary: 'Who is locked, why and until when', errors: ['list.too-deep'] },
)

export const FrozenPerson = z.object({
  ...personColumns,
  phase: FreezePhase,
  from: z.iso.datetime(),
  /** Null: until somebody lifts it. */
  until: z.iso.datetime().nullable(),
  /** Null: frozen before causes were asked for. */
  cause: FreezeCause.nullable(),
  reason: z.string().nullable(),
  /** For colleagues alone. */
  note: z.string().nullable(),
  /** The administrator; told to super users. */
  by: z.string().nullable(),
})
export type FrozenPerson = z.infer<typeof FrozenPerson>

export const listFrozenPeople = get(
  '/user_information/frozen/query/',
  'administrator',
  ListQuery.extend({
    ...personFilters,
    freeze: UserFilters.shape.freeze.default('any'),
    freezeCause: UserFilters.shape.freezeCause,
    ...sorted,
  }),
  pageOf(FrozenPerson),
  { summary: 'Who is frozen or will be, why and until when', errors: ['list.too-deep'] },
)

export const DormantPerson = z.object({
  ...personColumns,
  lastLogin: z.iso.datetime().nullable(),
  dormantSince: z.iso.datetime().nullable(),
  /** By an administrator or for dormancy, and still. */
  isLocked: z.boolean(),
  /** The night from when on they become dormant, or are locked, if nobody logs in; null: neither. */
  next: z.object({ term: z.enum(['dormant', 'lock']), at: z.iso.datetime() }).nullable(),
  exemption: DormancyExemption.nullable(),
})
export type DormantPerson = z.infer<typeof DormantPerson>

export const listDormantPeople = get(
  '/user_information/dormant/query/',
  'administrator',
  ListQuery.extend({
    ...personFilters,
    dormancy: UserFilters.shape.dormancy.default('dormant'),
    dormantFrom: UserFilters.shape.dormantFrom,
    dormantTo: UserFilters.shape.dormantTo,
    neverLoggedIn: UserFilters.shape.neverLoggedIn,
    /** Of who is not dormant by number instead of `dormantSince`. */
    sort: z.enum(['dormantSince', '-dormantSince', ...sorted.sort.unwrap().options]).default('dormantSince'),
  }),
  pageOf(DormantPerson),
  { summary: 'Who is dormant, or soon will be, or is exempt, and what comes next', errors: ['list.too-deep'] },
)

/** What became of a line of a pasted list; `unknown` is also whom the caller may not change. Each has the message `freeze-row.<name>`. */
export const FREEZE_ROW_STATES = ['changed', 'unchanged', 'refused', 'unknown', 'repeated'] as const

export const FreezeListAnswer = z.object({
  rows: z.array(
    z.object({
      /** From 1, as pasted. */
      row: z.number().int(),
      account: z.string(),
      name: z.string().nullable(),
      status: z.enum(FREEZE_ROW_STATES),
      /** Why it was refused. */
      message: z.string().nullable(),
    }),
  ),
  changed: z.number().int(),
  /** More than 1,000 are frozen in the background under this id: the rows tell what was found before it began. */
  taskId: Id.nullable(),
})
export type FreezeListAnswer = z.infer<typeof FreezeListAnswer>

export const freezeListed = post(
  '/user_information/freeze_list/',
  'administrator:edit',
  z.strictObject({
    accounts: z.array(z.string().trim().min(1).max(200)).min(1).max(10_000),
    dryRun: z.boolean().default(false),
    reason: z.string().trim().max(200).optional(),
    /** For colleagues; the person sees the reason alone. */
    note: z.string().trim().max(200).optional(),
    cause: FreezeCause,
    from: Moment.optional(),
    until: Moment.optional(),
  }),
  FreezeListAnswer,
  {
    summary: 'Freeze the people of a list of numbers, and tell of each line what became of it',
    errors: ['user.dates'],
    mostBodyBytes: 2 * 1024 * 1024,
  },
)
