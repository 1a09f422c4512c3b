import type { DirectorySync } from '#shared/contract/directory-syncs.ts'
import type { decideSyncMatch, listSyncMatches, MatchDecision, MatchKind } from '#shared/contract/sync-matches.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { renamePerson } from '../people-save/index.ts'
import { recordAudit } from '../records/index.ts'
import { errors } from './directory-syncs.errors.ts'
import { syncsService } from './directory-syncs.service.ts'
import { isSameAccount } from './judge-rows.rules.ts'
import { linkPerson, listProtected } from './links.store.ts'
import { compareMatches } from './match-comparison.service.ts'
import {
  countOpenMatches,
  deleteMatches,
  listMatchPeople,
  lockMatch,
  type MatchRow,
  pageOfMatches,
  setDecision,
} from './matches.store.ts'
import { syncTarget } from './run-start.service.ts'

const CHOICES: Readonly<Record<MatchKind, readonly MatchDecision[]>> = {
  'several-people': ['link', 'new', 'ignore'],
  'account-taken': ['link', 'ignore'],
  'other-account': ['rename', 'keep', 'new', 'ignore'],
  'linked-already': ['new', 'ignore'],
  renamed: ['rename', 'keep', 'ignore'],
  'deleted-here': ['ignore'],
  recreated: ['link', 'ignore'],
}

/** Whoever has the account of a candidate, in whatever case, can't be somebody new. */
const choicesOf = (match: MatchRow, people: readonly { account: string }[]): readonly MatchDecision[] =>
  CHOICES[match.kind].filter(
    (one) => one !== 'new' || !people.some(({ account }) => isSameAccount(account, match.account)),
  )

const PAGE = 20
/** More wouldn't fit side by side. */
const MAX_PEOPLE = 5

/** @throws Refusal `resource.not-found`. */
export async function listMatches(
  ctx: Context,
  { syncId, after }: Input<typeof listSyncMatches>['query'],
): Promise<Output<typeof listSyncMatches>> {
  await syncsService.get(ctx, syncId)
  const rows = await pageOfMatches(ctx.db, syncId, after, PAGE)
  const ids = new Set(rows.flatMap(({ userIds }) => userIds.slice(0, MAX_PEOPLE)))
  const people = new Map((await listMatchPeople(ctx.db, [...ids])).map((one) => [one.id, one]))
  const compared = await compareMatches(
    ctx,
    rows.map((row) => ({
      row,
      kept: JSON.parse(ctx.secrets.open(row.fields)),
      people: row.userIds.slice(0, MAX_PEOPLE).flatMap((id) => people.get(id) ?? []),
    })),
  )
  const records = compared.map(({ row, ...sides }) => {
    const { externalId, kind, decision, decidedBy, seenAt } = row
    const choices = decision ? ['reopen' as const] : [...choicesOf(row, sides.people)]
    return { ...{ externalId, kind, decision, decidedBy, ...sides, choices }, seenAt: seenAt.toISOString() }
  })
  return { open: await countOpenMatches(ctx.db, syncId), records }
}

/**
 * Decides who a person of a source is. A link or a new number is written at once; other decisions guide later runs.
 * @throws Refusal `directory-sync.no-match`, `….bad-decision`, `….protected`, `….account-refused`, `….linked`.
 */
export async function decideMatch(
  ctx: Context,
  syncId: string,
  { externalId, decision, userId }: Input<typeof decideSyncMatch>['body'],
): Promise<null> {
  return await transaction(ctx, async (inner) => {
    const sync = await syncsService.get(inner, syncId)
    const match = await lockMatch(inner.db, syncId, externalId)
    if (!match) throw errors['directory-sync.no-match']()
    const people = await listMatchPeople(inner.db, match.userIds)
    const possible: readonly MatchDecision[] = match.decision ? ['reopen'] : choicesOf(match, people)
    if (!possible.includes(decision)) throw errors['directory-sync.bad-decision']()
    const person =
      decision === 'link' || decision === 'rename' || decision === 'keep' ? chosenPerson(match, userId) : null
    await applyDecision(inner, { sync, match, decision, person })
    const after = { externalId, decision, ...(person && { person }) }
    await recordAudit(inner, { action: 'directory-sync.decide', ...syncTarget(syncId), after })
    return null
  })
}

/** @throws Refusal `directory-sync.bad-decision` unless the person is one of the candidates. */
function chosenPerson({ userIds }: MatchRow, userId: string | undefined): string {
  const only = userIds.length === 1 ? userIds[0] : undefined
  const chosen = userId ?? only
  if (chosen === undefined || !userIds.includes(chosen))
    throw errors['directory-sync.bad-decision']({ data: { fields: ['userId'] } })
  return chosen
}

type Deciding = { sync: DirectorySync; match: MatchRow; decision: MatchDecision; person: string | null }

async function applyDecision(ctx: Context, { sync, match, decision, person }: Deciding): Promise<void> {
  const { externalId, account } = match
  const at = ctx.now()
  const keep = (kept: MatchRow['decision']) =>
    setDecision(ctx.db, sync.id, externalId, { decision: kept, decidedBy: callerOf(ctx).userId, at })
  if (person === null) {
    await keep(decision === 'new' || decision === 'ignore' ? decision : null)
    return
  }
  if ((await listProtected(ctx.db, [person])).has(person)) throw errors['directory-sync.protected']()
  if (decision === 'rename' && !(await renamePerson(ctx, person, { account, reason: sync.name })))
    throw errors['directory-sync.account-refused']({ params: { account } })
  if (match.kind !== 'renamed' && !(await linkPerson(ctx.db, { syncId: sync.id, externalId, userId: person, at })))
    throw errors['directory-sync.linked']()
  if (decision === 'keep') await keep('keep')
  else await deleteMatches(ctx.db, sync.id, [externalId])
}
