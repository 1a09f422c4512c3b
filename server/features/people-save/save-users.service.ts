import type { CustomField } from '#shared/contract/custom-fields.ts'
import { isCustomName, keyOfCustom } from '#shared/contract/field-rules.ts'
import { isConstraintViolation } from '../../platform/db.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { retryOn } from '../../platform/retry.ts'
import { mapInSlices } from '../../platform/slices.ts'
import { hasLimitedScope, inScope, mayManage } from '../access/index.ts'
import { refuseLockout } from '../access-rules/index.ts'
import { accountFieldRules, customFields } from '../account-fields/index.ts'
import { contactGivenAt } from '../contact-cooldown/index.ts'
import { buildSearchKeys } from '../name-search/index.ts'
import { lockTreeShared } from '../organizations/index.ts'
import { recordAudits } from '../records/index.ts'
import { endSsoSessions } from '../sessions/index.ts'
import {
  idNumberMac,
  insertUsers,
  type LoginNameRow,
  replaceLoginNames,
  replaceSecondaryOrganizations,
  updateUsers,
} from '../user-accounts/index.ts'
import { listExistingPeople, type PersonRow } from './save-users.store.ts'
import type { PersonInput, PersonValues, SaveOptions, SaveOutcome, ValueField } from './save-users.types.ts'
import { type NameLookup, toAuditLine } from './save-users-audit.rules.ts'
import { checkLoginNames, checkReferences, checkSuperUsers } from './save-users-checks.service.ts'
import { maskUnreadableChanges } from './save-users-enumeration.rules.ts'
import { checkCustomFields, checkFieldRules } from './save-users-fields.rules.ts'
import { checkGains } from './save-users-gains.service.ts'
import { notifyContactChanges } from './save-users-notices.service.ts'
import { refuseOwnedFields } from './save-users-owners.service.ts'
import {
  isValid,
  needsWrite,
  type PlannedRow,
  planRow,
  type ValidatedInput,
  validateInput,
} from './save-users-plan.rules.ts'
import { checkUniqueValues } from './save-users-unique.service.ts'

/** Rows per call; callers split larger sets. */
export const MAX_SAVE_ROWS = 5000

/** Somebody else took an account or a login name, or deleted an organisation, between the read and the write. */
export class ConcurrentWriteError extends Error {}

export const retryConcurrentWrites = <T>(step: () => Promise<T>): Promise<T> => retryOn(ConcurrentWriteError, step)

/**
 * Creates and changes people, all rows in a few statements: one implementation for the form, for bulk changes and for imports. Each row is
 * checked on its own (formats, login names within the rows and against everybody, the caller's scope, the last super user); valid rows are
 * written in one transaction with their audit records, and an unchanged one writes nothing. Within a caller's transaction it becomes part
 * of that, and throws in the rare case that somebody else was faster.
 */
export async function saveUsers(
  ctx: Context,
  rows: readonly PersonInput[],
  options: SaveOptions,
): Promise<SaveOutcome[]> {
  if (rows.length > MAX_SAVE_ROWS) throw new Error(`${rows.length} rows are more than one call takes`)
  const custom = await customFields(ctx)
  const all = await mapInSlices(rows, (row) => validateInput(row, ctx.now(), custom))
  if (ctx.db !== ctx.sql) return await saveInTransaction(ctx, all, { ...options, custom })
  return await retryConcurrentWrites(() =>
    transaction(ctx, (inner) => saveInTransaction(inner, all, { ...options, custom })),
  )
}

type SaveInput = SaveOptions & { custom: readonly CustomField[] }

async function saveInTransaction(
  ctx: Context,
  rows: readonly ValidatedInput[],
  options: SaveInput,
): Promise<SaveOutcome[]> {
  const { permission = 'edit', mode, dryRun = false, preventEnumeration = false, isSource = false } = options
  // A dry run writes nothing, so it must not reveal who elsewhere has an account. The import itself has to.
  const hidesOthers = dryRun && preventEnumeration
  if (hasLimitedScope(ctx) && !dryRun) await lockTreeShared(ctx.db)
  const isSeen = ctx.caller ? inScope(ctx, ctx.db`u.organization_id`) : ctx.db`true`
  const mayChange = ctx.caller ? mayManage(ctx, permission) : ctx.db`true`
  const ids = rows.flatMap(({ input }) => input.id ?? [])
  const accounts = rows.flatMap(({ input, account }) => (input.id === undefined ? [account] : []))
  const isOpen = preventEnumeration && ctx.caller ? mayManage(ctx, 'edit') : ctx.db`true`
  const mayReset = ctx.caller ? mayManage(ctx, 'reset') : ctx.db`true`
  const people = await listExistingPeople(ctx.db, { ids, accounts, isSeen, mayChange, mayReset, isOpen, lock: !dryRun })
  const known = {
    byId: new Map(people.map((one) => [one.id, one])),
    byAccount: new Map(people.flatMap((one) => (one.isSeen ? [[one.account, one] as const] : []))),
    taken: new Set(people.flatMap(({ isSeen, account }) => (isSeen || hidesOthers ? [] : [account]))),
    secrets: ctx.secrets,
  }
  const planned = await mapInSlices(rows, (row) => planRow(row, known, mode))
  if (hidesOthers) maskUnreadableChanges(ctx, planned, rows, options.custom)
  checkFieldRules(planned, { rules: await accountFieldRules(ctx), isSource }, ctx.secrets)
  checkCustomFields(planned, options.custom, isSource)
  if (!options.leavesOwned) await refuseOwnedFields(ctx, planned)
  await checkUniqueValues(ctx, planned, options)
  const { places, nameOf } = await checkReferences(ctx, planned, permission)
  // Before the login names: rejected people keep their former ones.
  await checkGains(ctx, planned, places)
  const names = await checkLoginNames(ctx, planned, options)
  await checkSuperUsers(ctx, planned, options)
  if (dryRun) return planned.map(toOutcome)
  const chosen = await chooseRows(ctx, { planned, names }, options)
  await writeOrConflict(ctx, { ...chosen, nameOf }, options)
  return planned.map(toOutcome)
}

/** Asks which rows to write. Whoever is not written keeps their login names, so those of the others are judged again. */
async function chooseRows(ctx: Context, { planned, names }: Omit<WritePlan, 'nameOf'>, options: SaveInput) {
  const wanted = await options.writesOnly?.(planned.map(toOutcome))
  if (!wanted) return { planned, names }
  const chosen = planned.filter((_, at) => wanted[at])
  const isNameKept = planned.some(({ id }, at) => !wanted[at] && names.has(id))
  return { planned: chosen, names: isNameKept ? await checkLoginNames(ctx, chosen, options) : names }
}

type WritePlan = { planned: readonly PlannedRow[]; names: ReadonlyMap<string, LoginNameRow[]>; nameOf: NameLookup }

/**
 * @throws ConcurrentWriteError also if a referenced organisation, category or personnel type was deleted meanwhile: a retry finds it
 *   missing.
 */
async function writeOrConflict(ctx: Context, plan: WritePlan, options: SaveInput) {
  try {
    await writeRows(ctx, plan, options)
  } catch (error) {
    throw isConstraintViolation(error, 'reference') ? new ConcurrentWriteError() : error
  }
}

async function writeRows(ctx: Context, { planned, names, nameOf }: WritePlan, options: SaveInput) {
  const { activated = false, notify = false, reason } = options
  const { db } = ctx
  const now = ctx.now()
  const written = planned.filter(needsWrite)
  if (written.length === 0) return
  const rows = new Map(await mapInSlices(written, async (row) => [row.id, await toPersonRow(ctx, row)] as const))
  const rowsWhere = (condition: (row: PlannedRow) => boolean): PersonRow[] =>
    written.filter(condition).flatMap(({ id }) => rows.get(id) ?? [])
  const created = rowsWhere(({ existing }) => !existing)
  const updated = rowsWhere(({ existing }) => existing !== null)
  const write = { givenAt: contactGivenAt(ctx, now), now }
  const inserted =
    created.length === 0
      ? 0
      : await insertUsers(
          db,
          created.map((row) => ({ ...row, activated })),
          write,
        )
  if (inserted < created.length) throw new ConcurrentWriteError()
  if (notify) await notifyContactChanges(ctx, written)
  if (updated.length > 0) await updateUsers(db, updated, write)
  const renamed = written.filter(({ id }) => names.has(id))
  const formerIds = renamed.filter(({ existing }) => existing).map(({ id }) => id)
  const newNames = renamed.flatMap(({ id }) => names.get(id) ?? [])
  if (!(await replaceLoginNames(db, formerIds, newNames))) throw new ConcurrentWriteError()
  await replaceSecondaryOrganizations(
    db,
    rowsWhere(({ changed }) => changed.includes('secondaryOrganizationIds')),
  )
  if (written.some((row) => mayLockOut(ctx, row))) await refuseLockout(ctx)
  const disabled = written.filter(({ changed, after }) => changed.includes('enabled') && !after.enabled)
  if (disabled.length > 0) await endSsoSessions(ctx, { userIds: disabled.map(({ id }) => id) }, 'account')
  await recordAudits(
    ctx,
    written.map((row) =>
      toAuditLine({ ...row, before: row.existing?.values ?? null }, { nameOf, custom: options.custom }, reason),
    ),
  )
}

const PLACES = ['organizationId', 'secondaryOrganizationIds', 'categoryId'] as const

/** A change of department or category may make access rules apply: the caller, and the last super user, must still get in. */
function mayLockOut({ caller }: Context, { id, existing, changed }: PlannedRow): boolean {
  return (
    existing !== null && (existing.isSuperUser || id === caller?.userId) && PLACES.some((one) => changed.includes(one))
  )
}

async function toPersonRow(
  { secrets }: Context,
  { id, account, after, existing, changed }: PlannedRow,
): Promise<PersonRow> {
  const isRenamed = existing?.values.name !== after.name
  const forms = isRenamed ? await buildSearchKeys(after.name) : { pinyin: '', initials: '' }
  const mayReset = existing?.mayReset ?? false
  const customValues = toCustomValues(after)
  const mac =
    after.idNumber !== null && changed.includes('idNumber') ? idNumberMac(secrets, secrets.open(after.idNumber)) : null
  return {
    ...after,
    idNumberMac: mac,
    id,
    account,
    namePinyin: forms.pinyin,
    nameInitials: forms.initials,
    mayReset,
    customValues,
  }
}

const toCustomValues = (values: PersonValues): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      isCustomName(name) && typeof value === 'string' ? [[keyOfCustom(name), value]] : [],
    ),
  )

const pickFields = (values: PersonValues, fields: readonly ValueField[]): Partial<PersonValues> =>
  Object.fromEntries(fields.map((field) => [field, values[field] ?? null])) as Partial<PersonValues>

function toOutcome(row: PlannedRow): SaveOutcome {
  const { account, id, existing, after, changed, problems, code } = row
  const outcome = { account, problems, code }
  if (!isValid(row))
    return { ...outcome, status: 'refused', id: existing?.mayChange ? id : null, before: null, after: null }
  if (!existing) return { ...outcome, status: 'created', id, before: null, after }
  if (changed.length === 0) return { ...outcome, status: 'unchanged', id, before: null, after: null }
  return {
    ...outcome,
    status: 'updated',
    id,
    before: pickFields(existing.values, changed),
    after: pickFields(after, changed),
  }
}
