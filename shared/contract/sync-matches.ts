import { z } from 'zod'
import { Done, get, Id, post } from './endpoint.ts'

/** Why somebody of a source waits for a person to decide who they are. */
export const MATCH_KINDS = [
  'several-people',
  /** Somebody here has the number, and no rule says that it is them. */
  'account-taken',
  /** A rule found somebody of another number. */
  'other-account',
  /** A rule found somebody who is another row already. */
  'linked-already',
  /** Of somebody who is linked the number has changed. */
  'renamed',
  'deleted-here',
  /** Whoever was linked was deleted here, and somebody has the account again. */
  'recreated',
] as const
const MatchKind = z.enum(MATCH_KINDS)
export type MatchKind = z.infer<typeof MatchKind>

/**
 * `link`: it is that person. `rename`: and they get the number of the source. `keep`: and they keep theirs. `new`: it is somebody new.
 * `ignore`: the row is left out. `reopen`: takes a decision back that no run has gone by yet.
 */
export const MATCH_DECISIONS = ['link', 'rename', 'keep', 'new', 'ignore', 'reopen'] as const
const MatchDecision = z.enum(MATCH_DECISIONS)
export type MatchDecision = z.infer<typeof MatchDecision>

const Values = z.array(z.object({ field: z.string(), value: z.string() }))

const SyncMatch = z.object({
  externalId: z.string(),
  kind: MatchKind,
  /** What the source says; contacts and numbers of documents masked. */
  source: Values,
  /** Who it could be, with the same fields. */
  people: z.array(z.object({ id: Id, account: z.string(), name: z.string(), values: Values })),
  /** What can be decided. */
  choices: z.array(MatchDecision),
  decision: MatchDecision.nullable(),
  decidedBy: z.string().nullable(),
  seenAt: z.iso.datetime(),
})
export type SyncMatch = z.infer<typeof SyncMatch>

export const listSyncMatches = get(
  '/directory_sync_match/query/',
  'superUser',
  z.strictObject({
    syncId: Id,
    /** The key of the last one of the page before. */
    after: z.string().max(500).default(''),
  }),
  z.object({
    /** How many nobody has decided. */
    open: z.number().int(),
    records: z.array(SyncMatch),
  }),
  { summary: 'Twenty of the people whom a sync cannot place by itself', errors: ['resource.not-found'] },
)

export const decideSyncMatch = post(
  '/directory_sync_match/{id}/decide/',
  'superUser',
  z.strictObject({
    externalId: z.string().min(1).max(500),
    decision: MatchDecision,
    /** Who it is; needed where several could be. */
    userId: Id.optional(),
  }),
  Done,
  {
    query: z.strictObject({ id: Id }),
    summary: 'Decide who somebody of a source is; later runs go by it',
    errors: [
      'directory-sync.no-match',
      'directory-sync.bad-decision',
      'directory-sync.protected',
      'directory-sync.account-refused',
      'directory-sync.linked',
    ],
  },
)
