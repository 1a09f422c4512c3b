import { z } from 'zod'
import { Done, get, Id, post } from './endpoint.ts'

/** Why a row needs a decision. */
export const MATCH_KINDS = [
  'several-people',
  /** The account exists here, and no rule matches that person. */
  'account-taken',
  /** A rule found a person with another account. */
  'other-account',
  /** A rule found a person who is linked to another row. */
  'linked-already',
  /** The account of a linked person has changed. */
  'renamed',
  'deleted-here',
  /** The linked person was deleted here, and somebody has the account again. */
  'recreated',
] as const
const MatchKind = z.enum(MATCH_KINDS)
export type MatchKind = z.infer<typeof MatchKind>

/**
 * `link`: it is that person. `rename`: and they get the source's account. `keep`: and they keep theirs. `new`: it is a
 * new person. `ignore`: the row is left out. `reopen`: reverts a decision that no run has used yet.
 */
export const MATCH_DECISIONS = ['link', 'rename', 'keep', 'new', 'ignore', 'reopen'] as const
const MatchDecision = z.enum(MATCH_DECISIONS)
export type MatchDecision = z.infer<typeof MatchDecision>

const FieldValue = z.object({ field: z.string(), value: z.string() })

const SyncMatch = z.object({
  externalId: z.string(),
  kind: MatchKind,
  /** The source's values; contacts and document numbers are masked. */
  source: z.array(FieldValue),
  /** The candidates, with the same fields; `differs`: the source says something else. */
  people: z.array(
    z.object({
      ...{ id: Id, account: z.string(), name: z.string() },
      values: z.array(FieldValue.extend({ differs: z.boolean() })),
    }),
  ),
  /** The possible decisions. */
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
    /** The key of the previous page's last row. */
    after: z.string().max(500).default(''),
  }),
  z.object({
    /** Number of undecided rows. */
    open: z.number().int(),
    records: z.array(SyncMatch),
  }),
  { summary: 'Twenty rows of a sync that need a decision', errors: ['resource.not-found'] },
)

export const decideSyncMatch = post(
  '/directory_sync_match/{id}/decide/',
  'superUser',
  z.strictObject({
    externalId: z.string().min(1).max(500),
    decision: MatchDecision,
    /** The person; required if there are several candidates. */
    userId: Id.optional(),
  }),
  Done,
  {
    query: z.strictObject({ id: Id }),
    summary: 'Decide who a person of a source is; later runs use the decision',
    errors: [
      'directory-sync.no-match',
      'directory-sync.bad-decision',
      'directory-sync.protected',
      'directory-sync.account-refused',
      'directory-sync.linked',
    ],
  },
)
