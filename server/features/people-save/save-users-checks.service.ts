import type { Permission } from '#shared/contract/permissions.ts'
import type { Context } from '../../platform/platform.ts'
import { gainsPermissions, hasLimitedScope, inScope, permissionsAt } from '../access/index.ts'
import {
  LOGIN_NAME_KINDS,
  type LoginNameRow,
  listLoginNameOwners,
  toLoginNames,
  wouldLeaveNoSuperUser,
} from '../user-accounts/index.ts'
import {
  type ExistingPerson,
  listFormerAccounts,
  listOrganizations,
  listReferenceNames,
  listVisibleIds,
  type OrganizationRow,
} from './save-users.store.ts'
import type { PersonValues, SaveOptions } from './save-users.types.ts'
import type { NameLookup } from './save-users-audit.rules.ts'
import { addProblem, isValid, needsWrite, type PlannedRow } from './save-users-plan.rules.ts'

const collectIds = (
  rows: readonly PlannedRow[],
  pick: (values: PersonValues) => readonly (string | null)[],
): string[] => {
  const all = rows.flatMap(({ existing, after }) => [...pick(after), ...(existing ? pick(existing.values) : [])])
  return [...new Set(all)].filter((id) => id !== null)
}

/** The organisations that rows name, by id. */
export type OrganizationsById = ReadonlyMap<string, OrganizationRow>

/** Marks references to an organisation, category or personnel type that doesn't exist, is disabled or is out of the caller's scope. */
export async function checkReferences(
  ctx: Context,
  rows: readonly PlannedRow[],
  permission: 'edit' | 'import',
): Promise<{ places: OrganizationsById; nameOf: NameLookup }> {
  const { db } = ctx
  const scope = ctx.caller ? inScope(ctx, db`o.id`, permission) : db`true`
  const organizationIds = collectIds(rows, (values) => [values.organizationId, ...values.secondaryOrganizationIds])
  const organizations = await listOrganizations(db, organizationIds, {
    inScope: scope,
    permissions: permissionsAt(ctx),
  })
  const categories = await listReferenceNames(
    db,
    'user_categories',
    collectIds(rows, ({ categoryId }) => [categoryId]),
  )
  const personnelTypes = await listReferenceNames(
    db,
    'personnel_types',
    collectIds(rows, ({ personnelTypeId }) => [personnelTypeId]),
  )
  const places = new Map(organizations.map((one) => [one.id, one]))
  const referenceNames = new Map([...categories, ...personnelTypes].map(({ id, name }) => [id, name]))
  for (const row of rows) {
    keepInvisibleOrganizations(row, places)
    checkRow(ctx, row, places, referenceNames)
  }
  return { places, nameOf: (id) => places.get(id)?.name ?? referenceNames.get(id) ?? id }
}

/** Secondary departments that the caller can't see are kept: whoever removes entries can only mean those they saw. */
function keepInvisibleOrganizations(row: PlannedRow, places: OrganizationsById): void {
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
  row: PlannedRow,
  places: OrganizationsById,
  referenceNames: ReadonlyMap<string, string>,
) {
  const { changed, after } = row
  if (!row.existing || changed.includes('organizationId')) checkOrganization(ctx, row, places)
  if (changed.includes('secondaryOrganizationIds')) checkSecondaryOrganizations(row, places)
  for (const field of ['categoryId', 'personnelTypeId'] as const) {
    const id = after[field]
    if (changed.includes(field) && id !== null && !referenceNames.has(id)) addProblem(row, field, 'unknown')
  }
}

function checkSecondaryOrganizations(row: PlannedRow, places: OrganizationsById): void {
  const known = new Set(row.existing?.values.secondaryOrganizationIds)
  const added = row.after.secondaryOrganizationIds.filter((id) => !known.has(id)).map((id) => places.get(id))
  if (added.some((one) => !one?.inScope)) addProblem(row, 'secondaryOrganizationIds', 'unknown')
  else if (added.some((one) => one?.isEnding)) addProblem(row, 'secondaryOrganizationIds', 'closed')
}

function checkOrganization(ctx: Context, row: PlannedRow, places: OrganizationsById): void {
  const { existing, after } = row
  // A person without an organisation is for super users only.
  if (after.organizationId === null) return void (hasLimitedScope(ctx) && addProblem(row, 'organizationId', 'missing'))
  const place = places.get(after.organizationId)
  // Out of scope is answered like unknown.
  if (!place?.inScope) addProblem(row, 'organizationId', 'unknown')
  else if (!place.isOpen || place.isEnding) addProblem(row, 'organizationId', 'closed')
  else if (existing && gainsPermissions(ctx, permissionsOver(existing, places), place.permissions))
    addProblem(row, 'organizationId', 'more-permissions')
}

/** The caller's permissions over a person as they are now. */
export const permissionsOver = ({ values }: ExistingPerson, places: OrganizationsById): readonly Permission[] =>
  places.get(values.organizationId ?? '')?.permissions ?? []

/** Marks several rows for one person, and login names that somebody else has, among the rows or outside. @returns the names to write. */
export async function checkLoginNames(
  ctx: Context,
  rows: readonly PlannedRow[],
  { dryRun = false, preventEnumeration = false }: SaveOptions,
): Promise<Map<string, LoginNameRow[]>> {
  const hidesOthers = dryRun && preventEnumeration
  refuseRepeatedRows(rows)
  await refuseFormerAccounts(ctx, rows, hidesOthers)
  const names = new Map(
    rows
      .filter(
        (row) =>
          needsWrite(row) && (!row.existing || LOGIN_NAME_KINDS.some((kind) => row.changed.includes(kind as never))),
      )
      .map((row) => [row.id, toLoginNames({ ...row.after, account: row.account, id: row.id })]),
  )
  const found = await listLoginNameOwners(ctx.db, [
    ...new Set([...names.values()].flat().map(({ canonical }) => canonical)),
  ])
  const owners = hidesOthers ? await visibleOwners(ctx, found) : found
  // A rejected row keeps its former names, which may cause the next rejection.
  while (refuseTakenNames(rows, names, owners)) for (const row of rows) if (!isValid(row)) names.delete(row.id)
  return names
}

/** Other systems may still know a deleted person by this account: only super users may give it to somebody else. */
async function refuseFormerAccounts(ctx: Context, rows: readonly PlannedRow[], hidesOthers: boolean): Promise<void> {
  const created = rows.filter((row) => !row.existing && isValid(row))
  if (!hasLimitedScope(ctx) || created.length === 0) return
  const former = await listFormerAccounts(
    ctx.db,
    created.map(({ account }) => account),
    inScope(ctx, ctx.db`u.organization_id`),
  )
  for (const row of created) {
    const isSeen = former.get(row.account.toLowerCase())
    // About a person elsewhere, no more than that the account is taken.
    if (isSeen !== undefined && (isSeen || !hidesOthers)) addProblem(row, 'account', isSeen ? 'former' : 'taken')
  }
}

/** A dry run must not reveal which guessed login names belong to people elsewhere; the import itself rejects them. */
async function visibleOwners(ctx: Context, owners: readonly LoginNameRow[]): Promise<readonly LoginNameRow[]> {
  if (!hasLimitedScope(ctx)) return owners
  // Queried even if there are none, so that the response time reveals nothing.
  const ids = owners.map(({ userId }) => userId)
  const seen = await listVisibleIds(ctx.db, ids, inScope(ctx, ctx.db`u.organization_id`))
  return owners.filter(({ userId }) => seen.has(userId))
}

function refuseRepeatedRows(rows: readonly PlannedRow[]): void {
  const seen = new Set<string>()
  for (const row of rows) {
    const key = row.existing?.id ?? row.account
    if (seen.has(key)) addProblem(row, 'account', 'repeated')
    seen.add(key)
  }
}

/** @returns whether any row was rejected. */
function refuseTakenNames(
  rows: readonly PlannedRow[],
  names: Map<string, LoginNameRow[]>,
  owners: readonly LoginNameRow[],
): boolean {
  // Names that stay with people whose names do not change here.
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

const LOCKOUT_FIELDS = ['enabled', 'validFrom', 'validUntil'] as const

const locksOut = ({ changed, after }: PlannedRow): boolean =>
  LOCKOUT_FIELDS.some((field) => changed.includes(field)) &&
  (!after.enabled || after.validFrom !== null || after.validUntil !== null)

/** Nobody may lock themselves out, and one super user must be left. */
export async function checkSuperUsers(
  ctx: Context,
  rows: readonly PlannedRow[],
  { dryRun }: SaveOptions,
): Promise<void> {
  const leaving = rows.filter((row) => needsWrite(row) && row.existing && locksOut(row))
  for (const row of leaving) if (row.id === ctx.caller?.userId && !row.after.enabled) row.code = 'user.is-self'
  const superUsers = leaving.filter((row) => row.existing?.isSuperUser && isValid(row))
  if (superUsers.length === 0) return
  const ids = superUsers.map(({ id }) => id)
  if (await wouldLeaveNoSuperUser(ctx.db, ids, ctx.now(), !dryRun))
    for (const row of superUsers) row.code = 'user.last-super-user'
}
