import { customName, isCustomName, keyOfCustom } from '#shared/contract/field-rules.ts'
import type { Permission } from '#shared/contract/permissions.ts'
import { openIfReadable } from '../../platform/crypto.ts'
import { afterCommit, type Context, callerOf, transaction } from '../../platform/platform.ts'
import { hasLimitedScope, mayManage } from '../access/index.ts'
import { formatAccessGains, listAccessGains } from '../access-gains/index.ts'
import { customFields, customLabel, uniqueFields } from '../account-fields/index.ts'
import { endAdministratorLocks } from '../account-holds/index.ts'
import { deleteActivationCodes } from '../activation/index.ts'
import { revokeIssuedCredentials } from '../administrators/index.ts'
import { deleteCountersOfUsers, deleteLoginHolds } from '../attempts/index.ts'
import { lockTreeShared } from '../organizations/index.ts'
import { recordAudits } from '../records/index.ts'
import { endSessionsAt, endSsoSessions } from '../sessions/index.ts'
import { deleteMatchedThirdPartyAccounts } from '../third-party-accounts/index.ts'
import {
  comparableValue,
  userErrors as errors,
  listLoginNameOwners,
  listValueOwners,
  lockUniqueFields,
  replaceLoginNames,
  toLoginNames,
  type UniqueField,
  updateByVerb,
  type VerbChange,
  wouldLeaveNoSuperUser,
} from '../user-accounts/index.ts'
import {
  ALREADY_APPLIED,
  effectiveStart,
  LOCKOUT_VERBS,
  REQUIRED_PERMISSION,
  refusalCode,
  replacesFormer,
  requireValidDates,
  toAuditLine,
  type VerbInput,
} from './verbs.rules.ts'
import { listGrantSubjects, lockTargets, type VerbTarget } from './verbs.store.ts'

/** The result for one person; `code` is the error code if it failed. */
export type VerbOutcome = {
  id: string
  account: string
  name: string
  status: 'changed' | 'unchanged' | 'refused'
  code: string | null
  /** What the verb sets was set before, to something else: the opposite verb would remove that too. */
  replaces?: boolean
  /** Parameters of the message of `code`. */
  params?: Record<string, string>
}

/**
 * Applies a verb to many people, each judged separately, in a few statements of the caller's transaction: the sessions of people who are
 * now locked out end with its commit, and each change has its audit record. People out of scope count as not found.
 */
export async function applyVerb(ctx: Context, ids: readonly string[], input: VerbInput): Promise<VerbOutcome[]> {
  const { outcomes, targets } = await planVerb(ctx, ids, input)
  const changed = targets.filter(({ id }) => outcomes.get(id)?.status === 'changed')
  if (changed.length > 0) await writeVerb(ctx, changed, input)
  return ids.map((id) => outcomes.get(id) ?? notFoundOutcome(id))
}

/** As `applyVerb`, as a dry run. */
export async function previewVerb(ctx: Context, ids: readonly string[], input: VerbInput): Promise<VerbOutcome[]> {
  const { outcomes } = await planVerb(ctx, ids, input)
  return ids.map((id) => outcomes.get(id) ?? notFoundOutcome(id))
}

const notFoundOutcome = (id: string): VerbOutcome => ({
  id,
  account: '',
  name: '',
  status: 'refused',
  code: 'user.not-found',
})

type VerbPlan = { targets: VerbTarget[]; outcomes: Map<string, VerbOutcome> }

async function planVerb(ctx: Context, ids: readonly string[], input: VerbInput): Promise<VerbPlan> {
  const { verb, permission = REQUIRED_PERMISSION[verb] } = input
  if (verb === 'restore' && hasLimitedScope(ctx)) await lockTreeShared(ctx.db)
  const found = await lockTargets(ctx.db, ids, ctx.caller ? mayManage(ctx, permission) : ctx.db`true`, ctx.now())
  const targets = found.filter((one) => one.mayManage)
  const outcomes = new Map(targets.map((target) => [target.id, planForPerson(ctx, target, input)]))
  const changing = () => targets.filter(({ id }) => outcomes.get(id)?.status === 'changed')
  const refuse = (refused: readonly VerbTarget[], code: string, params: Record<string, string> = {}) => {
    for (const { id, account, name } of refused)
      outcomes.set(id, { id, account, name, status: 'refused', code, params })
  }
  if (verb === 'restore') {
    for (const [target, params] of await listRestoreGains(ctx, changing())) refuse([target], 'user.gains', params)
    refuse(await withTakenLoginNames(ctx, changing()), 'user.names-taken')
    for (const [target, params] of await withTakenValues(ctx, changing())) refuse([target], 'user.value-taken', params)
  }
  if (LOCKOUT_VERBS.has(verb)) refuse(await findLastSuperUsers(ctx, changing()), 'user.last-super-user')
  return { outcomes, targets }
}

/** The result for one person, as far as their own state decides. */
function planForPerson(ctx: Context, target: VerbTarget, input: VerbInput): VerbOutcome {
  const { verb } = input
  const { id, account, name, deletedAt } = target
  const outcome = (status: VerbOutcome['status'], code: string | null = null) => ({ id, account, name, status, code })
  if (deletedAt !== null && verb !== 'restore' && verb !== 'delete') return outcome('refused', 'user.not-found')
  const code = refusalCode(target, input, ctx.now())
  if (code) return outcome('refused', code)
  if (ALREADY_APPLIED[verb](target, input, ctx.now())) return outcome('unchanged')
  if (LOCKOUT_VERBS.has(verb) && id === ctx.caller?.userId) return outcome('refused', 'user.is-self')
  return { ...outcome('changed'), replaces: replacesFormer(target, verb, ctx.now()) }
}

/** Which of these people would regain access that the caller could not grant: a deleted person counts as having none, like a new one. */
async function listRestoreGains(
  ctx: Context,
  targets: readonly VerbTarget[],
): Promise<[VerbTarget, { things: string }][]> {
  if (!hasLimitedScope(ctx) || targets.length === 0) return []
  const byId = new Map(targets.map((target) => [target.id, target]))
  const people = await listGrantSubjects(ctx.db, [...byId.keys()], mayManage(ctx, 'authorise'))
  const gains = await listAccessGains(
    ctx,
    people.map(({ subjects }) => ({ by: subjects, without: [] })),
  )
  return people.flatMap(({ id }, at): [VerbTarget, { things: string }][] => {
    const [target, things] = [byId.get(id), gains[at]]
    return target && things && things.total > 0 ? [[target, { things: formatAccessGains(ctx, things) }]] : []
  })
}

/** The super users among these if no other would be left. */
async function findLastSuperUsers(ctx: Context, targets: readonly VerbTarget[]): Promise<VerbTarget[]> {
  const superUsers = targets.filter(({ isSuperUser }) => isSuperUser)
  const ids = superUsers.map(({ id }) => id)
  return superUsers.length > 0 && (await wouldLeaveNoSuperUser(ctx.db, ids, ctx.now())) ? superUsers : []
}

/** Marks those who could not get their login names back. */
async function withTakenLoginNames(ctx: Context, targets: readonly VerbTarget[]): Promise<VerbTarget[]> {
  const names = targets.flatMap((target) => toLoginNames(target))
  const taken = new Set(
    (
      await listLoginNameOwners(
        ctx.db,
        names.map(({ canonical }) => canonical),
      )
    ).map((one) => one.canonical),
  )
  return targets.filter((target) => {
    const own = toLoginNames(target).map(({ canonical }) => canonical)
    const isTaken = own.some((canonical) => taken.has(canonical))
    // Of two who had the same name, one gets it.
    if (!isTaken) for (const canonical of own) taken.add(canonical)
    return isTaken
  })
}

/** Those of these people who can't be restored, because somebody else now has their value of a unique field. */
async function withTakenValues(
  ctx: Context,
  targets: readonly VerbTarget[],
): Promise<[VerbTarget, { field: string }][]> {
  const fields = await uniqueFields(ctx)
  const kept = targets.flatMap((target) =>
    fields.flatMap((field) => {
      const value = storedValue(ctx, target, field)
      return value ? [{ target, field, value: comparableValue(ctx.secrets, field, value) }] : []
    }),
  )
  if (kept.length === 0) return []
  await lockUniqueFields(ctx.db, fields)
  const owners = await listValueOwners(ctx.db, kept)
  const taken = new Set(owners.map(({ field, value }) => `${field} ${value}`))
  const names = await fieldNames(ctx)
  return kept.flatMap(({ target, field, value }): [VerbTarget, { field: string }][] => {
    const id = `${field} ${value}`
    if (taken.has(id)) return [[target, { field: names(field) }]]
    // Of two who had the same value one gets it.
    taken.add(id)
    return []
  })
}

function storedValue({ secrets }: Context, target: VerbTarget, field: UniqueField): string | null {
  if (isCustomName(field)) return target.customValues?.[keyOfCustom(field)] ?? null
  if (field === 'idNumber') return openIfReadable(secrets, target.idNumber)
  return target[field]
}

async function fieldNames(ctx: Context): Promise<(field: UniqueField) => string> {
  const { language } = ctx.client
  const custom = await customFields(ctx)
  return (field) => {
    if (!isCustomName(field)) return ctx.translate(language, `person-field.${field}`)
    const found = custom.find(({ key }) => customName(key) === field)
    return found ? customLabel(found, language) : field
  }
}

async function writeVerb(ctx: Context, targets: readonly VerbTarget[], input: VerbInput): Promise<void> {
  const { db } = ctx
  const { verb, until = null, reason, note, cause = 'other' } = input
  const ids = targets.map(({ id }) => id)
  const at = ctx.now()
  const from = effectiveStart(input, at)
  const words = { reason: reason || null, note: note || null }
  const change: VerbChange = { from, until, ...words, cause, by: ctx.caller?.userId ?? null, at }
  // An earlier lock that is over has its end in the record before the next one.
  if (verb === 'lock') await endAdministratorLocks(ctx, { ids })
  await updateByVerb(db, verb, ids, change)
  if (verb === 'unlock') await deleteLoginHolds(db, ids)
  if (verb === 'delete') {
    await deleteCountersOfUsers(db, ids)
    await replaceLoginNames(db, ids, [])
    await deleteActivationCodes(db, ids)
  }
  if (verb === 'set_administrator') {
    await revokeIssuedCredentials(db, ids, change.at)
    await deleteMatchedThirdPartyAccounts(db, ids)
  }
  if (
    verb === 'restore' &&
    !(await replaceLoginNames(
      db,
      ids,
      targets.flatMap((one) => toLoginNames(one)),
    ))
  ) {
    throw errors['user.names-taken']()
  }
  if (LOCKOUT_VERBS.has(verb)) await endSessionsOf(ctx, ids, verb === 'freeze' ? from : null)
  await recordAudits(
    ctx,
    targets.map((target) => toAuditLine(target, input, change)),
  )
}

/** @param from when; null: now. */
async function endSessionsOf(ctx: Context, userIds: string[], from: Date | null): Promise<void> {
  // Before the commit its timer could find nobody frozen.
  if (from) afterCommit(ctx, () => endSessionsAt(ctx, from))
  else await endSsoSessions(ctx, { userIds }, 'account')
}

/** One person, by a call of its own. @throws Refusal with the reason, and as `requireValidDates`. */
export async function applyVerbToPerson(ctx: Context, id: string, input: VerbInput): Promise<null> {
  callerOf(ctx)
  requireValidDates(input, ctx.now())
  const outcomes = await transaction(ctx, (inner) => applyVerb(inner, [id], input))
  const { code, params = {} } = outcomes[0] ?? {}
  if (code) throw errors[code as keyof typeof errors]({ params })
  return null
}

/** Deletes people in the caller's transaction, for undoing an import. */
export const deleteUsers = (ctx: Context, ids: readonly string[], how: { permission: Permission; reason?: string }) =>
  applyVerb(ctx, ids, { verb: 'delete', ...how })

/** Freezes people until further notice, or thaws them, in the caller's transaction; the reason is for colleagues. */
export const freezeUsers = (ctx: Context, ids: readonly string[], how: { frozen: boolean; reason: string }) =>
  applyVerb(ctx, ids, { verb: how.frozen ? 'freeze' : 'thaw', permission: 'edit', note: how.reason })
