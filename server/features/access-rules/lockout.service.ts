import { LOCKS_OUT, type LocksOutData } from '#shared/contract/access-rules.ts'
import { AccessSettings } from '#shared/contract/policy-switch.ts'
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
import { clientAddress } from '../records/index.ts'
import { errors } from './access-rules.errors.ts'
import { findPlaces, listSuperUserLogins } from './lockout.store.ts'

/** A login longer ago says little of where somebody would log in from now. */
const LATELY_MS = 90 * 24 * 3600_000

/**
 * Whom the rules would keep out of the portal now, as the caller's transaction has left rules and ranges: the caller from here, or every
 * super user from where they last logged in. Only refusals keep out; a second factor can be set up. While rules are suspended nobody
 * is kept out, so that they can be mended one by one.
 * @param draft rules in place of those that are stored.
 */
export async function lockoutOf(ctx: Context, draft?: readonly JudgedRule[]): Promise<LocksOutData | null> {
  const { suspended } = AccessSettings.parse((await findSettingsDocument(ctx.db, 'access')).value)
  if (suspended) return null
  const rules = draft ?? (await judgeRules(ctx.db, await listStoredRules(ctx.db)))
  const refusing = rules.filter(({ mode, outcome }) => mode === 'on' && outcome === 'refuse')
  if (refusing.length === 0) return null
  return (await lockoutOfCaller(ctx, refusing)) ?? (await lockoutOfSuperUsers(ctx, refusing))
}

/**
 * After a change, in its transaction. What goes back by itself is not asked: the former state is what was there.
 * @throws Refusal `policy.locks-out` with `LocksOutData`.
 */
export async function refuseLockout(ctx: Context): Promise<void> {
  if (!ctx.caller) return
  const lockout = await lockoutOf(ctx)
  if (lockout) throw errors[LOCKS_OUT]({ params: { rule: lockout.rule.name }, data: lockout })
}

type Whom = { person: AccessPerson; place: AccessPlace | null }

function refusalOf(ctx: Context, rules: readonly JudgedRule[], { person, place }: Whom): JudgedRule | null {
  return decideAccess(rules, { person, place, at: ctx.now(), appId: PORTAL_APP_ID }).decidedBy
}

const toData = ({ id, name }: JudgedRule, whom: LocksOutData['whom']): LocksOutData => ({ rule: { id, name }, whom })

async function lockoutOfCaller(ctx: Context, rules: readonly JudgedRule[]): Promise<LocksOutData | null> {
  if (!ctx.caller) return null
  const person = await findAccessPerson(ctx.db, ctx.caller.userId, needsOf(rules), ctx.now())
  if (!person) return null
  const [place] = await findPlaces(ctx.db, canonical([ctx.client.ip]))
  const rule = refusalOf(ctx, rules, { person, place: place ?? { rangeId: null, rangeKind: null } })
  return rule && toData(rule, 'caller')
}

/** Those whose last address is known; without any there is nothing to judge by. */
async function lockoutOfSuperUsers(ctx: Context, rules: readonly JudgedRule[]): Promise<LocksOutData | null> {
  const now = ctx.now()
  const logins = await listSuperUserLogins(ctx.db, needsOf(rules), { now, since: new Date(now.getTime() - LATELY_MS) })
  const places = await findPlaces(ctx.db, [...new Set(canonical(logins.map(({ ip }) => ip)))])
  const refusals = logins.map((row) => {
    const [ip] = canonical([row.ip])
    return refusalOf(ctx, rules, { person: toAccessPerson(row), place: places.find((one) => one.ip === ip) ?? null })
  })
  const [first] = refusals
  return first && refusals.every((rule) => rule !== null) ? toData(first, 'super-users') : null
}

const canonical = (addresses: readonly string[]): string[] =>
  addresses.flatMap((text) => {
    const address = clientAddress(text)
    return address ? [formatIpAddress(address)] : []
  })
