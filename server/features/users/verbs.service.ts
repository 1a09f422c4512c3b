import type { Power } from '#shared/contract/powers.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { forgetCodes } from '../activation/index.ts'
import { mayManage, voidIssued, voidMatches } from '../administrators/index.ts'
import { recordAudits } from '../records/index.ts'
import { endSsoSessions } from '../sessions/index.ts'
import { loginNamesOf, ownersOfLoginNames, replaceLoginNames } from './login-names.store.ts'
import { wouldLeaveNobody } from './super-users.ts'
import { errors } from './users.errors.ts'
import { auditOf, checkDates, POWER, SHUTS_OUT, STANDS, startOf, type VerbInput } from './verbs.rules.ts'
import { type Change, forgetFailures, freeLoginNames, lockTargets, type Target, writeVerb } from './verbs.store.ts'

/** What became of one person; `code` is an error code of who was refused. */
export type VerbOutcome = {
  id: string
  account: string
  name: string
  status: 'changed' | 'unchanged' | 'refused'
  code: string | null
}

/**
 * Does the same to many people, each judged by themselves, in a few statements of the caller's transaction: the sessions of who is
 * shut out end with its commit, and each change has its audit line. Who is out of scope answers as who isn't there.
 */
export async function applyVerb(ctx: Context, ids: readonly string[], input: VerbInput): Promise<VerbOutcome[]> {
  const { outcomes, targets } = await judge(ctx, ids, input)
  const changed = targets.filter(({ id }) => outcomes.get(id)?.status === 'changed')
  if (changed.length > 0) await write(ctx, changed, input)
  return ids.map((id) => outcomes.get(id) ?? strange(id))
}

/** As `applyVerb`, without doing it. */
export async function previewVerb(ctx: Context, ids: readonly string[], input: VerbInput): Promise<VerbOutcome[]> {
  const { outcomes } = await judge(ctx, ids, input)
  return ids.map((id) => outcomes.get(id) ?? strange(id))
}

const strange = (id: string): VerbOutcome => ({ id, account: '', name: '', status: 'refused', code: 'user.not-found' })

type Judgement = { targets: Target[]; outcomes: Map<string, VerbOutcome> }

async function judge(ctx: Context, ids: readonly string[], input: VerbInput): Promise<Judgement> {
  const { verb, power = POWER[verb] } = input
  const found = await lockTargets(ctx.db, ids, ctx.caller ? mayManage(ctx, power) : ctx.db`true`, ctx.now())
  const targets = found.filter((one) => one.mayManage)
  const outcomes = new Map(targets.map((target) => [target.id, alone(ctx, target, input)]))
  const changing = () => targets.filter(({ id }) => outcomes.get(id)?.status === 'changed')
  const refuse = (refused: readonly Target[], code: string) => {
    for (const { id, account, name } of refused) outcomes.set(id, { id, account, name, status: 'refused', code })
  }
  if (verb === 'restore') refuse(await withTakenNames(ctx, changing()), 'user.names-taken')
  if (SHUTS_OUT.has(verb)) refuse(await lastSuperUsers(ctx, changing()), 'user.last-super-user')
  return { outcomes, targets }
}

/** What becomes of somebody as far as they themselves tell. */
function alone(ctx: Context, target: Target, input: VerbInput): VerbOutcome {
  const { verb } = input
  const { id, account, name, deletedAt } = target
  const told = (status: VerbOutcome['status'], code: string | null = null) => ({ id, account, name, status, code })
  if (deletedAt !== null && verb !== 'restore' && verb !== 'delete') return told('refused', 'user.not-found')
  if (STANDS[verb](target, input, ctx.now())) return told('unchanged')
  return SHUTS_OUT.has(verb) && id === ctx.caller?.userId ? told('refused', 'user.is-self') : told('changed')
}

/** The super users among these when nobody else would be left. */
async function lastSuperUsers(ctx: Context, targets: readonly Target[]): Promise<Target[]> {
  const superUsers = targets.filter(({ isSuperUser }) => isSuperUser)
  const ids = superUsers.map(({ id }) => id)
  return superUsers.length > 0 && (await wouldLeaveNobody(ctx.db, ids, ctx.now())) ? superUsers : []
}

/** Who of these could not have their login names back. */
async function withTakenNames(ctx: Context, targets: readonly Target[]): Promise<Target[]> {
  const names = targets.flatMap((target) => loginNamesOf(target))
  const taken = new Set(
    (
      await ownersOfLoginNames(
        ctx.db,
        names.map(({ canonical }) => canonical),
      )
    ).map((one) => one.canonical),
  )
  return targets.filter((target) => {
    const own = loginNamesOf(target).map(({ canonical }) => canonical)
    const isTaken = own.some((canonical) => taken.has(canonical))
    // Of two who had the same name one gets it.
    if (!isTaken) for (const canonical of own) taken.add(canonical)
    return isTaken
  })
}

async function write(ctx: Context, targets: readonly Target[], input: VerbInput): Promise<void> {
  const { db } = ctx
  const { verb, until = null, reason } = input
  const ids = targets.map(({ id }) => id)
  const at = ctx.now()
  const from = startOf(input, at)
  const change: Change = { from, until, reason: reason || null, by: ctx.caller?.userId ?? null, at }
  await writeVerb(db, verb, ids, change)
  if (verb === 'unlock' || verb === 'delete') await forgetFailures(db, ids)
  if (verb === 'delete') await freeLoginNames(db, ids)
  if (verb === 'delete') await forgetCodes(db, ids)
  if (verb === 'set_administrator') {
    await voidIssued(db, ids, change.at)
    await voidMatches(db, ids)
  }
  if (
    verb === 'restore' &&
    !(await replaceLoginNames(
      db,
      ids,
      targets.flatMap((one) => loginNamesOf(one)),
    ))
  ) {
    throw errors['user.names-taken']()
  }
  const isAtOnce = verb !== 'freeze' || from === null
  if (SHUTS_OUT.has(verb) && isAtOnce) await endSsoSessions(ctx, { userIds: ids }, 'account')
  await recordAudits(
    ctx,
    targets.map((target) => auditOf(target, input, change)),
  )
}

/** One person, by a call of their own. @throws Refusal of the reason, and as `checkDates`. */
export async function changePerson(ctx: Context, id: string, input: VerbInput): Promise<null> {
  callerOf(ctx)
  checkDates(input, ctx.now())
  const outcomes = await transaction(ctx, (inner) => applyVerb(inner, [id], input))
  const code = outcomes[0]?.code
  if (code) throw errors[code as keyof typeof errors]()
  return null
}

/** Deletes people in the caller's transaction, for an import that is undone. */
export const deleteUsersIn = (ctx: Context, ids: readonly string[], how: { power: Power; reason?: string }) =>
  applyVerb(ctx, ids, { verb: 'delete', ...how })
