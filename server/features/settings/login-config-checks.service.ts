import { isDeepStrictEqual } from 'node:util'
import { POLICY_KEYS, type PolicyKey } from '#shared/contract/login-config.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import type { Refusal } from '../../platform/errors.ts'
import type { Context } from '../../platform/platform.ts'
import { ReadablePolicy } from '../access/index.ts'
import type { Snapshot } from '../records/index.ts'
import { canCallerLogIn } from './login-methods.service.ts'
import { errors } from './settings.errors.ts'
import { findKnownCodes } from './settings.store.ts'

type Policies = {
  before: SignInPolicy
  after: SignInPolicy
  /** The keys that differ: contradictions that existed before are not this change's fault. */
  changed: ReadonlySet<PolicyKey>
}

/**
 * Checks constraints between the keys of the login configuration.
 * @returns the error for a change that locks the caller out, which they may override.
 * @throws Refusal `login-config.…`, naming the fields; nothing is written then.
 */
export async function checkLoginConfig(ctx: Context, stored: Snapshot, wanted: Snapshot): Promise<Refusal | null> {
  const [before, after] = [ReadablePolicy.parse(stored), ReadablePolicy.parse(wanted)]
  const changed = new Set(POLICY_KEYS.filter((key) => !isDeepStrictEqual(before[key], after[key])))
  refuseContradictions({ before, after, changed })
  await refuseUnknownCodes(ctx, { before, after, changed })
  return await findLockOut(ctx, { before, after, changed })
}

function refuseContradictions({ after, changed }: Policies): void {
  const touched = (...keys: PolicyKey[]) => keys.filter((key) => changed.has(key))
  refuseBadTimes(after, touched)
  const { passwordMinLength: min, passwordMaxLength: max } = after
  const lengths = touched('passwordMinLength', 'passwordMaxLength')
  if (lengths.length > 0 && min > max)
    throw errors['login-config.password-lengths']({ params: { min, max }, data: { fields: lengths } })
  const demanded = touched('passwordRules', 'passwordMaxLength')
  const longest = Math.max(0, ...after.passwordRules.map(({ minLength }) => minLength ?? 0))
  if (demanded.length > 0 && longest > max)
    throw errors['login-config.password-lengths']({ params: { min: longest, max }, data: { fields: demanded } })
  const aged = touched('passwordMaxAgeDays', 'passwordWarnDays', 'passwordRules')
  const ages = [after.passwordMaxAgeDays, ...after.passwordRules.map(({ maxAgeDays }) => maxAgeDays ?? 0)]
  const age = Math.min(...ages.filter((one) => one > 0))
  if (aged.length > 0 && after.passwordWarnDays >= age)
    throw errors['login-config.password-told-too-early']({ params: { days: age, count: age }, data: { fields: aged } })
  const warned = touched('dormantWarnDays', 'dormantAfterDays')
  const { dormantAfterDays: term } = after
  const days = Math.max(0, ...after.dormantWarnDays)
  if (warned.length > 0 && term > 0 && days >= term)
    throw errors['login-config.told-too-early']({ params: { days: term, count: term }, data: { fields: warned } })
}

/** For lock-outs and sessions. */
function refuseBadTimes(after: SignInPolicy, touched: (...keys: PolicyKey[]) => PolicyKey[]): void {
  const locks = touched('lockMode', 'lockMinutes', 'lockMostMinutes')
  if (locks.length > 0 && after.lockMode === 'growing' && after.lockMostMinutes < after.lockMinutes)
    throw errors['login-config.lock-most-too-short']({
      params: { minutes: after.lockMinutes, count: after.lockMinutes },
      data: { fields: locks },
    })
  const sessions = touched('sessionIdleMinutes', 'sessionMaxHours')
  if (sessions.length > 0 && after.sessionIdleMinutes > after.sessionMaxHours * 60)
    throw errors['login-config.idle-exceeds-session']({
      params: { minutes: after.sessionIdleMinutes, hours: after.sessionMaxHours },
      data: { fields: sessions },
    })
  const remembered = touched('rememberMeLongSecond', 'sessionMaxHours')
  const { rememberMeLongSecond: seconds } = after
  if (remembered.length > 0 && seconds > 0 && seconds < after.sessionMaxHours * 3600)
    throw errors['login-config.remembered-too-short']({
      params: { hours: after.sessionMaxHours },
      data: { fields: remembered },
    })
}

const added = (before: readonly string[], after: readonly string[]): string[] =>
  after.filter((one) => !before.includes(one))

/** Keys that refer to categories by their code. */
export const CATEGORY_KEYS = ['secondFactorCategories', 'dormantExemptCategories'] as const

/** The same, plus the key whose entries do. */
const NAMING_KEYS = [...CATEGORY_KEYS, 'passwordRules'] as const
const namedBy = (policy: SignInPolicy, key: (typeof NAMING_KEYS)[number]): string[] =>
  key === 'passwordRules' ? policy.passwordRules.flatMap(({ categories }) => categories) : policy[key]

/** A rule keeps and shows references deleted since; nobody can add one to something that doesn't exist. */
async function refuseUnknownCodes(ctx: Context, { before, after }: Policies): Promise<void> {
  const categories = NAMING_KEYS.flatMap((key) => added(namedBy(before, key), namedBy(after, key)))
  const applications = added(before.secondFactorApplications, after.secondFactorApplications)
  if (categories.length + applications.length === 0) return
  const known = await findKnownCodes(ctx.db, { categories, applications })
  const unknown = (kind: 'category' | 'application', codes: string[]) =>
    codes.find((code) => !known.some((one) => one.kind === kind && one.code === code))
  for (const key of NAMING_KEYS) {
    const category = unknown('category', added(namedBy(before, key), namedBy(after, key)))
    if (category !== undefined)
      throw errors['login-config.unknown-category']({ params: { code: category }, data: { fields: [key] } })
  }
  const application = unknown('application', applications)
  if (application !== undefined)
    throw errors['login-config.unknown-application']({
      params: { code: application },
      data: { fields: ['secondFactorApplications'] },
    })
}

/** The author must be able to log in again. */
async function findLockOut(ctx: Context, { after, changed }: Policies): Promise<Refusal | null> {
  if (!changed.has('loginTypes') || (await canCallerLogIn(ctx, { login: after }))) return null
  const rule = ctx.translate(ctx.client.language, 'audit-field.loginTypes')
  return errors['login-config.locks-out']({ params: { rule }, data: { fields: ['loginTypes'] } })
}
