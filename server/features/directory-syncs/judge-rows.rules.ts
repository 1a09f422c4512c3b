import type { DirectorySyncFields } from '#shared/contract/directory-syncs.ts'
import type { MatchKind } from '#shared/contract/sync-matches.ts'
import type { SyncOutcome } from '#shared/contract/sync-runs.ts'
import { canonicalLoginName } from '#shared/rules/login-name.ts'
import { toE164 } from '#shared/rules/phone.ts'
import type { PersonInput } from '../people-save/index.ts'
import type { ReadRow } from '../user-imports/index.ts'
import { fieldsToRestore, type LeaverFields, type Taken } from './leavers.rules.ts'
import type { Candidate, LinkRow } from './links.store.ts'
import type { Decided, NewMatch } from './matches.store.ts'
import type { Problem, StoredRow } from './rows.store.ts'

type MatchBy = DirectorySyncFields['matchBy']

/** A row with the person it was matched to. */
export type Judged = {
  row: StoredRow
  person: PersonInput | null
  outcome: SyncOutcome | null
  userId: string | null
  problems: Problem[]
  /** What a leaver loses, or a returning person gets back. */
  taken?: Taken | null
  /** Candidates among whom somebody has to choose. */
  match?: Pick<NewMatch, 'kind' | 'account' | 'userIds'>
  /** To be frozen or thawed. */
  frozen?: boolean | undefined
  /** What the source says of them, if all of it is to become theirs. */
  readRow?: ReadRow | null
  personHash?: string | null
}
const problem = (key: string, params?: Problem['params']): Problem => ({
  key: `directory-sync-problem.${key}`,
  ...(params && { params }),
})

/** Separates freezing, which is not written with the fields. */
export function withFrozen(
  person: PersonInput,
  { frozen, ...fields }: LeaverFields,
): Pick<Judged, 'person' | 'frozen'> {
  return { person: { ...person, ...fields }, frozen }
}

type Linked = { link: LinkRow; decision: Decided | undefined; candidates: readonly Candidate[] }

/** A linked person: a changed number needs a decision. */
export function judgeLinked(row: StoredRow, person: PersonInput, { link, decision, candidates }: Linked): Judged {
  const { userId, account, isDeleted, taken, state } = link
  const held = (kind: MatchKind, one: Problem, who = userId): Judged => ({
    ...{ row, person: null, outcome: 'conflict', userId: who, problems: [one] },
    match: { kind, account: person.account, userIds: [who] },
  })
  if (isDeleted) {
    const again = candidates.find((one) => one.account === person.account && one.linkedKey === null)
    return again
      ? held('recreated', problem('recreated', { account: again.account }), again.id)
      : held('deleted-here', problem('deleted-here'))
  }
  const isKept = decision?.decision === 'keep' && decision.account === person.account
  if (person.account !== account && !isKept)
    return held('renamed', problem('renamed', { from: account, to: person.account }))
  const back = fieldsToRestore(taken, state, person)
  return { row, userId, outcome: null, problems: [], taken, ...withFrozen({ ...person, id: userId }, back) }
}

const MATCHES: Record<MatchBy[number], (one: Candidate, person: PersonInput) => boolean> = {
  account: (one, person) => one.account === person.account,
  mailbox: (one, person) => Boolean(person.mailbox) && one.mailbox?.toLowerCase() === person.mailbox?.toLowerCase(),
  phone: (one, person) => Boolean(person.phone) && one.phone === toE164(person.phone ?? ''),
}

type Known = { candidates: readonly Candidate[]; matchBy: MatchBy; decision: Decided | undefined }

/** A person without a link: found by the rules, left to a decision, or new. */
export function judgeUnlinked(row: StoredRow, person: PersonInput, known: Known): Judged {
  const conflict = (kind: MatchKind, hits: readonly Candidate[], one: Problem): Judged => ({
    ...{ row, person: null, outcome: 'conflict', userId: hits.length === 1 ? (hits[0]?.id ?? null) : null },
    problems: [one],
    match: { kind, account: person.account, userIds: hits.map(({ id }) => id) },
  })
  const hits = known.decision?.decision === 'new' ? [] : findHits(person, known)
  const [hit] = hits
  if (hits.length > 1)
    return conflict(
      'several-people',
      hits,
      problem('several-people', { accounts: hits.map(({ account }) => account).join(', ') }),
    )
  if (hit && hit.linkedKey !== null) return conflict('linked-already', hits, linkedProblem(hit, hit.linkedKey))
  if (hit && hit.account !== person.account)
    return conflict('other-account', hits, problem('renamed', { from: hit.account, to: person.account }))
  if (hit) return { row, person: { ...person, id: hit.id }, outcome: null, userId: hit.id, problems: [] }
  // The same number alone doesn't link an account unless a rule says so.
  const same = known.candidates.find(({ account }) => account === person.account)
  if (same) return conflict('account-taken', [same], problem('account-taken', { account: same.account }))
  // Nobody can log in with an account that differs from another one only in case, and address books don't tell them apart.
  const other = known.candidates.find(({ account }) => isSameAccount(account, person.account))
  if (other && other.linkedKey !== null)
    return conflict('linked-already', [other], linkedProblem(other, other.linkedKey))
  if (other)
    return conflict('other-account', [other], problem('other-case', { account: person.account, here: other.account }))
  return { row, person, outcome: null, userId: null, problems: [] }
}

const linkedProblem = ({ account }: Candidate, key: string) => problem('linked-already', { account, key })

/** Are these the same account, apart from upper and lower case? Then one of two people can't have both. */
export const isSameAccount = (one: string, other: string): boolean =>
  canonicalLoginName(one) === canonicalLoginName(other)

/** All people whom the rules find, in their order: if rules disagree, the first one must not win. */
const findHits = (person: PersonInput, { candidates, matchBy }: Known): readonly Candidate[] => [
  ...new Set(matchBy.flatMap((field) => candidates.filter((one) => MATCHES[field](one, person)))),
]
