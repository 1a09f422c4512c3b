import { violates } from '../../platform/db.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { mayManage } from '../administrators/index.ts'
import { searchFormsOf } from '../name-search/index.ts'
import { recordAudits } from '../records/index.ts'
import { endSsoSessions } from '../sessions/index.ts'
import { givenAtBy } from '../settled-contacts/index.ts'
import { type LoginNameRow, replaceLoginNames } from './login-names.store.ts'
import { auditOf, type NameOf } from './save-users.audit.ts'
import { hideGuesses } from './save-users.hidden.ts'
import { checkLoginNames, checkReferences, checkSuperUsers } from './save-users.lookups.ts'
import { tellOfContacts } from './save-users.notices.ts'
import { isGood, isWritten, type Judged, judged, type Planned, planRow } from './save-users.plan.ts'
import { existingPeople, insertPeople, type PersonRow, replaceSecondary, updatePeople } from './save-users.store.ts'
import type { PersonInput, PersonValues, SaveOptions, SaveOutcome, ValueField } from './save-users.types.ts'

/** The rows of one call; more go in several. */
export const MOST_ROWS = 5000
const TRIES = 3

/** Somebody else took an account or a login name, or took an organisation away, between the look and the write. */
export class Overtaken extends Error {}

/**
 * Creates and changes people, all rows in a few statements: one way for the form, for many at once and for an import. Each row is
 * checked by itself (formats, login names within the rows and against everybody, scope of the caller, the last super user); the good
 * ones are written in one transaction with their audit lines, an unchanged one writes nothing.
 * Within a transaction of the caller's it becomes part of that, and throws in the rare case that somebody else was faster.
 */
export async function saveUsers(
  ctx: Context,
  rows: readonly PersonInput[],
  options: SaveOptions,
): Promise<SaveOutcome[]> {
  if (rows.length > MOST_ROWS) throw new Error(`${rows.length} rows are more than one call takes`)
  const all = rows.map((row) => judged(row, ctx.now()))
  if (ctx.db !== ctx.sql) return await save(ctx, all, options)
  for (let tries = 1; ; tries += 1) {
    try {
      return await transaction(ctx, (inner) => save(inner, all, options))
    } catch (error) {
      if (!(error instanceof Overtaken) || tries === TRIES) throw error
    }
  }
}

async function save(ctx: Context, rows: readonly Judged[], options: SaveOptions): Promise<SaveOutcome[]> {
  const { power = 'edit', mode, dryRun = false, hidesGuesses = false } = options
  const mayChange = ctx.caller ? mayManage(ctx, power) : ctx.db`true`
  const ids = rows.flatMap(({ input }) => input.id ?? [])
  const accounts = rows.flatMap(({ input, account }) => (input.id === undefined ? [account] : []))
  const isOpen = hidesGuesses && ctx.caller ? mayManage(ctx, 'edit') : ctx.db`true`
  const mayReset = ctx.caller ? mayManage(ctx, 'reset') : ctx.db`true`
  const people = await existingPeople(ctx.db, { ids, accounts, mayChange, mayReset, isOpen, lock: !dryRun })
  const known = {
    byId: new Map(people.map((one) => [one.id, one])),
    byAccount: new Map(people.map((one) => [one.account, one])),
    secrets: ctx.secrets,
  }
  const planned = rows.map((row) => planRow(row, known, mode))
  if (dryRun && hidesGuesses) hideGuesses(ctx, planned, rows)
  const nameOf = await checkReferences(ctx, planned, power)
  const names = await checkLoginNames(ctx, planned, options)
  await checkSuperUsers(ctx, planned, options)
  if (!dryRun) await writeOrGiveWay(ctx, { planned, names, nameOf }, options)
  return planned.map(outcomeOf)
}

type Plan = { planned: readonly Planned[]; names: ReadonlyMap<string, LoginNameRow[]>; nameOf: NameOf }

/** @throws Overtaken also when what somebody is filed under was deleted meanwhile: another look finds it gone. */
async function writeOrGiveWay(ctx: Context, plan: Plan, options: SaveOptions) {
  try {
    await write(ctx, plan, options)
  } catch (error) {
    throw violates(error, 'reference') ? new Overtaken() : error
  }
}

async function write(ctx: Context, { planned, names, nameOf }: Plan, options: SaveOptions) {
  const { activated = false, tells = false, reason } = options
  const { db } = ctx
  const now = ctx.now()
  const written = planned.filter(isWritten)
  if (written.length === 0) return
  const rows = new Map(await Promise.all(written.map(async (row) => [row.id, await rowOf(row)] as const)))
  const those = (condition: (row: Planned) => boolean): PersonRow[] =>
    written.filter(condition).flatMap(({ id }) => rows.get(id) ?? [])
  const created = those(({ existing }) => !existing)
  const updated = those(({ existing }) => existing !== null)
  const how = { givenAt: givenAtBy(ctx), now }
  const inserted = created.length === 0 ? 0 : await insertPeople(db, created, { ...how, activated })
  if (inserted < created.length) throw new Overtaken()
  if (tells) await tellOfContacts(ctx, written)
  if (updated.length > 0) await updatePeople(db, updated, how)
  const renamed = written.filter(({ id }) => names.has(id))
  const formerIds = renamed.filter(({ existing }) => existing).map(({ id }) => id)
  const newNames = renamed.flatMap(({ id }) => names.get(id) ?? [])
  if (!(await replaceLoginNames(db, formerIds, newNames))) throw new Overtaken()
  await replaceSecondary(
    db,
    those(({ changed }) => changed.includes('secondaryOrganizationIds')),
  )
  const disabled = written.filter(({ changed, after }) => changed.includes('enabled') && !after.enabled)
  if (disabled.length > 0) await endSsoSessions(ctx, { userIds: disabled.map(({ id }) => id) }, 'account')
  await recordAudits(
    ctx,
    written.map((row) => auditOf({ ...row, before: row.existing?.values ?? null }, nameOf, reason)),
  )
}

async function rowOf({ id, account, after, existing }: Planned): Promise<PersonRow> {
  const isRenamed = existing?.values.name !== after.name
  const forms = isRenamed ? await searchFormsOf(after.name) : { pinyin: '', initials: '' }
  const mayReset = existing?.mayReset ?? false
  return { ...after, id, account, namePinyin: forms.pinyin, nameInitials: forms.initials, mayReset }
}

const only = (values: PersonValues, fields: readonly ValueField[]): Partial<PersonValues> =>
  Object.fromEntries(fields.map((field) => [field, values[field]]))

function outcomeOf(row: Planned): SaveOutcome {
  const { account, id, existing, after, changed, problems, code } = row
  const told = { account, problems, code }
  if (!isGood(row))
    return { ...told, status: 'refused', id: existing?.mayChange ? id : null, before: null, after: null }
  if (!existing) return { ...told, status: 'created', id, before: null, after }
  if (changed.length === 0) return { ...told, status: 'unchanged', id, before: null, after: null }
  return { ...told, status: 'updated', id, before: only(existing.values, changed), after: only(after, changed) }
}
