import { isDeepStrictEqual } from 'node:util'
import { LOCKS_OUT, type LocksOutData } from '#shared/contract/access-rules.ts'
import { AccessSettings } from '#shared/contract/policy-switch.ts'
import { HOUR_MS } from '#shared/rules/durations.ts'
import { formatIpAddress } from '../../platform/ip-network.ts'
import type { Context } from '../../platform/platform.ts'
import { findSettingsDocument } from '../../platform/settings.ts'
import {
  type AccessPerson,
  type AccessPlace,
  decideAccess,
  findAccessPerson,
  type JudgedRule,
  judgeRules,
  listStoredRules,
  needsOf,
  PORTAL_APP_ID,
  toAccessPerson,
} from '../access/index.ts'
import { clientAddress, type Snapshot } from '../records/index.ts'
import type { ResourceChange } from '../resources/index.ts'
import { awaitConfirmation } from '../unconfirmed-changes/index.ts'
import { errors } from './access-rules.errors.ts'
import { findPlaces, listSuperUserLogins, lockJudgement } from './lockout.store.ts'

/** An older login says little about where the person would log in from now. */
const LATELY_MS = 90 * 24 * 3600_000

/**
 * Who would be kept out of the portal by the rules, now or for a day or more of the coming week, as the caller's transaction has left rules
 * and ranges: the caller from the current address, or every super user from their last one. Only rejecting rules count; a second factor can
 * be set up. While rules are suspended nobody is kept out, so that they can be fixed one by one.
 */
async function lockoutOf(ctx: Context, change: Parameters<typeof lockJudgement>[1]): Promise<LocksOutData | null> {
  await lockJudgement(ctx.db, change)
  const { suspended } = AccessSettings.parse((await findSettingsDocument(ctx.db, 'access')).value)
  if (suspended) return null
  const rules = await judgeRules(ctx.db, await listStoredRules(ctx.db))
  const refusing = rules.filter(({ mode, outcome }) => mode === 'on' && outcome === 'refuse')
  if (refusing.length === 0) return null
  return (await lockoutOfCaller(ctx, refusing)) ?? (await lockoutOfSuperUsers(ctx, refusing))
}

/**
 * Called after a change, in its transaction. Does nothing for an automatic reversal, which restores the former state.
 * @param change `ofPolicies`: of rules, ranges or their suspension, not of people
 * @throws Refusal `policy.locks-out` with `LocksOutData`.
 */
export async function refuseLockout(ctx: Context, { ofPolicies = false } = {}): Promise<void> {
  if (!ctx.caller) return
  const lockout = await lockoutOf(ctx, { ofPolicies })
  if (lockout) throw errors[LOCKS_OUT]({ params: { rule: lockout.rule.name }, data: lockout })
}

/** Nobody can wait out a rejection that lasts a day; one of a few hours each night passes. */
const LONG_HOURS = 24
const WEEK_HOURS = 7 * 24

/**
 * The rejection that holds now, or one in the coming week that lasts, sampled hourly.
 * @param refusalAt the rule that rejects at a moment; null: none
 */
function lastingRefusal(
  now: Date,
  rules: readonly JudgedRule[],
  refusalAt: (at: Date) => JudgedRule | null,
): JudgedRule | null {
  const present = refusalAt(now)
  if (present || rules.every(({ when }) => when === null)) return present
  let refusedHours = 0
  for (let hour = 1; hour < WEEK_HOURS + LONG_HOURS; hour += 1) {
    const rule = refusalAt(new Date(now.getTime() + hour * HOUR_MS))
    refusedHours = rule ? refusedHours + 1 : 0
    if (rule && refusedHours >= LONG_HOURS) return rule
  }
  return null
}

type TriedChange = {
  kind: 'access-rule' | 'ip-range'
  change: ResourceChange
  /** The fields that decide about people. */
  fields: readonly string[]
  /** How a new one is deactivated. */
  off: Snapshot
}

/**
 * `refuseLockout`, unless the author insists: then the change is reversed automatically if no new login confirms it. A deletion leaves no
 * row to restore, so it is rejected.
 * @throws Refusal `policy.locks-out`, `unconfirmed-change.pending`.
 */
export async function refuseOrTryOut(ctx: Context, { kind, change, fields, off }: TriedChange): Promise<void> {
  const { id, before, after, force } = change
  const ofPolicies = true
  if (!force || !after) return await refuseLockout(ctx, { ofPolicies })
  if (!(await lockoutOf(ctx, { ofPolicies }))) return
  const former = before ?? { ...after, ...off }
  const changed = fields.filter((field) => !isDeepStrictEqual(former[field], after[field]))
  await awaitConfirmation(ctx, { targetKind: kind, targetId: id, before: former, after, fields: changed })
}

type Whom = { person: AccessPerson; place: AccessPlace | null }

const refusalOf = (rules: readonly JudgedRule[], whom: Whom, at: Date): JudgedRule | null =>
  decideAccess(rules, { ...whom, at, appId: PORTAL_APP_ID }).decidedBy

const toData = ({ id, name }: JudgedRule, whom: LocksOutData['whom']): LocksOutData => ({ rule: { id, name }, whom })

async function lockoutOfCaller(ctx: Context, rules: readonly JudgedRule[]): Promise<LocksOutData | null> {
  if (!ctx.caller) return null
  const person = await findAccessPerson(ctx.db, ctx.caller.userId, needsOf(rules), ctx.now())
  if (!person) return null
  const [place] = await findPlaces(ctx.db, canonical([ctx.client.ip]))
  const whom = { person, place: place ?? { rangeId: null, rangeKind: null } }
  const rule = lastingRefusal(ctx.now(), rules, (at) => refusalOf(rules, whom, at))
  return rule && toData(rule, 'caller')
}

/** Those whose last address is known; without any there is nothing to judge by. */
async function lockoutOfSuperUsers(ctx: Context, rules: readonly JudgedRule[]): Promise<LocksOutData | null> {
  const now = ctx.now()
  const logins = await listSuperUserLogins(ctx.db, needsOf(rules), { now, since: new Date(now.getTime() - LATELY_MS) })
  const places = await findPlaces(ctx.db, [...new Set(canonical(logins.map(({ ip }) => ip)))])
  const all = logins.map((row): Whom => {
    const [ip] = canonical([row.ip])
    return { person: toAccessPerson(row), place: places.find((one) => one.ip === ip) ?? null }
  })
  // All at the same moment: it is enough if one of them gets in.
  const rule = lastingRefusal(now, rules, (at) => {
    const refusals = all.map((whom) => refusalOf(rules, whom, at))
    return refusals.every((one) => one !== null) ? (refusals[0] ?? null) : null
  })
  return rule && toData(rule, 'super-users')
}

const canonical = (addresses: readonly string[]): string[] =>
  addresses.flatMap((text) => {
    const address = clientAddress(text)
    return address ? [formatIpAddress(address)] : []
  })
