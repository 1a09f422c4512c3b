import { z } from 'zod'
import { Done, Empty, get, Id, ListQuery, Moment, pageOf, post } from './endpoint.ts'
import { DormancyExemption, FreezeCause, FreezePhase, LockKind, PersonState, UserFilters, UserRow } from './users.ts'

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

/** The counters of failures, each with the message `login-hold.<name>`. */
export const LOGIN_HOLDS = ['person', 'device', 'code', 'second-factor'] as const

export const LockedPerson = z.object({
  ...personColumns,
  kind: LockKind,
  since: z.iso.datetime().nullable(),
  /** Null: until unlocked. */
  until: z.iso.datetime().nullable(),
  reason: z.string().nullable(),
  /** The administrator; only for super users. */
  by: z.string().nullable(),
  /** The login methods that failures have blocked, also in addition to an administrator's lock. */
  closed: z.array(z.enum(LOGIN_HOLDS)),
  /** The address of the last failed attempt, while known. */
  lastAddress: z.string().nullable(),
})
export type LockedPerson = z.infer<typeof LockedPerson>

const sorted = { sort: z.enum(['account', '-account', 'name', '-name']).default('account') }

export const listLockedPeople = get(
  '/user_information/locked/query/',
  'administrator',
  ListQuery.extend({
    ...personFilters,
    /** Fixed, so that an action can use the filters of this list. */
    state: z.literal('locked').default('locked'),
    lockedBy: UserFilters.shape.lockedBy,
    ...sorted,
  }),
  pageOf(LockedPerson),
  { summary: 'Locked people, why and until when', errors: ['list.too-deep'] },
)

export const FrozenPerson = z.object({
  ...personColumns,
  phase: FreezePhase,
  from: z.iso.datetime(),
  /** Null: until lifted. */
  until: z.iso.datetime().nullable(),
  /** Null: frozen before causes existed. */
  cause: FreezeCause.nullable(),
  reason: z.string().nullable(),
  /** Internal note. */
  note: z.string().nullable(),
  /** The administrator; only for super users. */
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
  { summary: 'People who are or will be frozen, why and until when', errors: ['list.too-deep'] },
)

export const DormantPerson = z.object({
  ...personColumns,
  lastLogin: z.iso.datetime().nullable(),
  dormantSince: z.iso.datetime().nullable(),
  /** The most severe state in which they can't log in, so that nothing comes next; null: they can. */
  closedState: PersonState.nullable(),
  /** The night on which they become dormant, or are locked, without a login; null: neither. */
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
    /** People who are not dormant are sorted by account instead of `dormantSince`. */
    sort: z.enum(['dormantSince', '-dormantSince', ...sorted.sort.unwrap().options]).default('dormantSince'),
  }),
  pageOf(DormantPerson),
  { summary: 'People who are dormant, soon will be, or are exempt, and what comes next', errors: ['list.too-deep'] },
)

const dormancyCounts = {
  people: z.number().int(),
  dormant: z.number().int(),
  locked: z.number().int(),
  told: z.number().int(),
}
/** `isHeld`: the run did nothing, because what it would have done to so many at once has to be confirmed. */
export const DormancyRun = z.object({ at: z.iso.datetime(), isHeld: z.boolean(), ...dormancyCounts })
export type DormancyRun = z.infer<typeof DormancyRun>

export const dormancyRun = get(
  '/user_information/dormant/run/',
  'superUser',
  Empty,
  z.object({
    latest: DormancyRun.nullable(),
    /** A run has begun, with figures that still grow, or is about to. */
    isUnderWay: z.boolean(),
    /** Null: nobody becomes dormant. */
    nextAt: z.iso.datetime().nullable(),
  }),
  { summary: 'The latest nightly dormancy run, and when the next one begins' },
)

export const confirmDormancyRun = post(
  '/user_information/dormant/run/confirm/',
  'superUser',
  /** What the caller has seen that it would do; it is held again if it would do much more. */
  z.strictObject(dormancyCounts),
  Done,
  { summary: 'Let a held dormancy run continue', errors: ['dormancy.not-held'] },
)

/**
 * The result of a line of a pasted list; `unknown` includes people whom the caller may not change. Each has the message
 * `freeze-row.<name>`.
 */
export const FREEZE_ROW_STATES = ['changed', 'unchanged', 'refused', 'unknown', 'repeated'] as const

export const FreezeListAnswer = z.object({
  rows: z.array(
    z.object({
      /** From 1, as pasted. */
      row: z.number().int(),
      account: z.string(),
      name: z.string().nullable(),
      status: z.enum(FREEZE_ROW_STATES),
      /** They were or will be frozen otherwise, which this freeze replaces. */
      replaces: z.boolean(),
      /** Why it was refused. */
      message: z.string().nullable(),
    }),
  ),
  changed: z.number().int(),
  /** More than 1,000 are frozen by this background task: the rows are the result of the check before. */
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
    /** Internal note; the person sees only the reason. */
    note: z.string().trim().max(200).optional(),
    cause: FreezeCause,
    from: Moment.optional(),
    until: Moment.optional(),
  }),
  FreezeListAnswer,
  {
    summary: 'Freeze the people of a list of accounts, with the result of each line',
    errors: ['user.dates'],
    mostBodyBytes: 2 * 1024 * 1024,
  },
)
