import type { Power } from '#shared/contract/powers.ts'
import type { Context } from '../../platform/platform.ts'
import { gainsPowers, inScope, powersAt } from '../administrators/index.ts'
import { LOGIN_NAME_KINDS, type LoginNameRow, loginNamesOf, ownersOfLoginNames } from './login-names.store.ts'
import type { NameOf } from './save-users.audit.ts'
import { addProblem, isGood, isWritten, type Planned } from './save-users.plan.ts'
import {
  type Existing,
  formerAccounts,
  type NamedRow,
  namedEntries,
  namedOrganizations,
  seenOf,
} from './save-users.store.ts'
import type { PersonValues, SaveOptions } from './save-users.types.ts'
import { wouldLeaveNobody } from './super-users.ts'

const idsOf = (rows: readonly Planned[], pick: (values: PersonValues) => readonly (string | null)[]): string[] => {
  const all = rows.flatMap(({ existing, after }) => [...pick(after), ...(existing ? pick(existing.values) : [])])
  return [...new Set(all)].filter((id) => id !== null)
}

/** Marks what names an organisation, category or nature that isn't there, is closed or is out of the caller's scope. */
export async function checkReferences(
  ctx: Context,
  rows: readonly Planned[],
  power: 'edit' | 'import',
): Promise<NameOf> {
  const { db } = ctx
  const scope = ctx.caller ? inScope(ctx, db`o.id`, power) : db`true`
  const organizationIds = idsOf(rows, (values) => [values.organizationId, ...values.secondaryOrganizationIds])
  const organizations = await namedOrganizations(db, organizationIds, { inScope: scope, powers: powersAt(ctx) })
  const categories = await namedEntries(
    db,
    'user_categories',
    idsOf(rows, ({ categoryId }) => [categoryId]),
  )
  const natures = await namedEntries(
    db,
    'personnel_natures',
    idsOf(rows, ({ personnelNatureId }) => [personnelNatureId]),
  )
  const places = new Map(organizations.map((one) => [one.id, one]))
  const words = new Map([...categories, ...natures].map(({ id, name }) => [id, name]))
  for (const row of rows) {
    keepUnseen(row, places)
    checkRow(ctx, row, places, words)
  }
  return (id) => places.get(id)?.name ?? words.get(id) ?? id
}

/** Further departments that the caller can't see stay: whoever takes a list away can only mean what the list showed. */
function keepUnseen(row: Planned, places: ReadonlyMap<string, NamedRow>): void {
  const { existing, after, changed } = row
  if (!existing || !changed.includes('secondaryOrganizationIds')) return
  const before = existing.values.secondaryOrganizationIds
  const unseen = before.filter((id) => !places.get(id)?.inScope && id !== after.organizationId)
  after.secondaryOrganizationIds = [...new Set([...after.secondaryOrganizationIds, ...unseen])].sort()
  if (JSON.stringify(after.secondaryOrganizationIds) !== JSON.stringify([...before].sort())) return
  row.changed = changed.filter((field) => field !== 'secondaryOrganizationIds')
}

function checkRow(
  ctx: Context,
  row: Planned,
  places: ReadonlyMap<string, NamedRow>,
  words: ReadonlyMap<string, string>,
) {
  const { changed, after } = row
  if (!row.existing || changed.includes('organizationId')) checkPlace(ctx, row, places)
  if (changed.includes('secondaryOrganizationIds')) checkFurther(row, places)
  for (const field of ['categoryId', 'personnelNatureId'] as const) {
    const id = after[field]
    if (changed.includes(field) && id !== null && !words.has(id)) addProblem(row, field, 'unknown')
  }
}

function checkFurther(row: Planned, places: ReadonlyMap<string, NamedRow>): void {
  const known = new Set(row.existing?.values.secondaryOrganizationIds)
  const added = row.after.secondaryOrganizationIds.filter((id) => !known.has(id)).map((id) => places.get(id))
  if (added.some((one) => !one?.inScope)) addProblem(row, 'secondaryOrganizationIds', 'unknown')
  else if (added.some((one) => one?.isEnding)) addProblem(row, 'secondaryOrganizationIds', 'closed')
}

function checkPlace(ctx: Context, row: Planned, places: ReadonlyMap<string, NamedRow>): void {
  const { caller } = ctx
  const { existing, after } = row
  // Without an organisation somebody is the super users' alone.
  if (after.organizationId === null)
    return void (caller && !caller.isSuperUser && addProblem(row, 'organizationId', 'missing'))
  const place = places.get(after.organizationId)
  // What is out of scope answers as what isn't there.
  if (!place?.inScope) addProblem(row, 'organizationId', 'unknown')
  else if (!place.isOpen || place.isEnding) addProblem(row, 'organizationId', 'closed')
  else if (existing && gainsPowers(ctx, powersOver(existing, places), place.powers))
    addProblem(row, 'organizationId', 'more-powers')
}

const powersOver = ({ values }: Existing, places: ReadonlyMap<string, NamedRow>): readonly Power[] =>
  places.get(values.organizationId ?? '')?.powers ?? []

/** Marks rows for one person twice, and login names that are somebody else's, among the rows or outside. @returns the names to write. */
export async function checkLoginNames(
  ctx: Context,
  rows: readonly Planned[],
  { dryRun = false, hidesGuesses = false }: SaveOptions,
): Promise<Map<string, LoginNameRow[]>> {
  refuseRepetitions(rows)
  await refuseFormer(ctx, rows)
  const names = new Map(
    rows
      .filter(
        (row) =>
          isWritten(row) && (!row.existing || LOGIN_NAME_KINDS.some((kind) => row.changed.includes(kind as never))),
      )
      .map((row) => [row.id, loginNamesOf({ ...row.after, account: row.account, id: row.id })]),
  )
  const found = await ownersOfLoginNames(ctx.db, [
    ...new Set([...names.values()].flat().map(({ canonical }) => canonical)),
  ])
  const owners = dryRun && hidesGuesses ? await withoutUnseen(ctx, found) : found
  // Who is refused keeps the former names, which may refuse the next.
  while (refuseTaken(rows, names, owners)) for (const row of rows) if (!isGood(row)) names.delete(row.id)
  return names
}

const isLimited = ({ caller }: Context): boolean => caller !== null && !caller.isSuperUser

/** The number of somebody deleted names them to other systems still: only super users give it to somebody else. */
async function refuseFormer(ctx: Context, rows: readonly Planned[]): Promise<void> {
  const created = rows.filter((row) => !row.existing && isGood(row))
  if (!isLimited(ctx) || created.length === 0) return
  const former = await formerAccounts(
    ctx.db,
    created.map(({ account }) => account),
  )
  for (const row of created) if (former.has(row.account.toLowerCase())) addProblem(row, 'account', 'former')
}

/** A check writes nothing, so it must not tell whose phone or mailbox of people elsewhere was guessed; the import itself refuses them. */
async function withoutUnseen(ctx: Context, owners: readonly LoginNameRow[]): Promise<readonly LoginNameRow[]> {
  if (!isLimited(ctx)) return owners
  // Asked also for nobody, so that the time it takes tells nothing.
  const ids = owners.map(({ userId }) => userId)
  const seen = await seenOf(ctx.db, ids, inScope(ctx, ctx.db`u.organization_id`))
  return owners.filter(({ userId, kind }) => kind === 'account' || seen.has(userId))
}

function refuseRepetitions(rows: readonly Planned[]): void {
  const seen = new Set<string>()
  for (const row of rows) {
    const key = row.existing?.id ?? row.account
    if (seen.has(key)) addProblem(row, 'account', 'repeated')
    seen.add(key)
  }
}

/** @returns whether any row was refused. */
function refuseTaken(
  rows: readonly Planned[],
  names: Map<string, LoginNameRow[]>,
  owners: readonly LoginNameRow[],
): boolean {
  // What stays with people whose names do not change here.
  const taken = new Map(owners.filter(({ userId }) => !names.has(userId)).map((one) => [one.canonical, one.userId]))
  const outside = new Set(taken.keys())
  let refused = false
  for (const [row, { canonical, kind }] of rows.flatMap((one) =>
    (names.get(one.id) ?? []).map((name) => [one, name] as const),
  )) {
    const owner = taken.get(canonical)
    if (owner === undefined || owner === row.id) taken.set(canonical, row.id)
    else {
      addProblem(row, kind, outside.has(canonical) ? 'taken' : 'repeated')
      refused = true
    }
  }
  return refused
}

const SHUTS_OUT = ['enabled', 'validFrom', 'validUntil'] as const

const shutsOut = ({ changed, after }: Planned): boolean =>
  SHUTS_OUT.some((field) => changed.includes(field)) &&
  (!after.enabled || after.validFrom !== null || after.validUntil !== null)

/** Nobody shuts themselves out, and somebody who administers everything is left. */
export async function checkSuperUsers(ctx: Context, rows: readonly Planned[], { dryRun }: SaveOptions): Promise<void> {
  const leaving = rows.filter((row) => isWritten(row) && row.existing && shutsOut(row))
  for (const row of leaving) if (row.id === ctx.caller?.userId && !row.after.enabled) row.code = 'user.is-self'
  const superUsers = leaving.filter((row) => row.existing?.isSuperUser && isGood(row))
  if (superUsers.length === 0) return
  const ids = superUsers.map(({ id }) => id)
  if (await wouldLeaveNobody(ctx.db, ids, ctx.now(), !dryRun))
    for (const row of superUsers) row.code = 'user.last-super-user'
}
