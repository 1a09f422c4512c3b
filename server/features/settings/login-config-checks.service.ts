import { isDeepStrictEqual } from 'node:util'
import { POLICY_KEYS, type PolicyKey } from '#shared/contract/login-config.ts'
import { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import type { Context } from '../../platform/platform.ts'
import { findConfiguredChannels } from '../messages/index.ts'
import type { Snapshot } from '../records/index.ts'
import { errors } from './settings.errors.ts'
import { findKnownCodes, listLoginNameKinds } from './settings.store.ts'

type Policies = {
  before: SignInPolicy
  after: SignInPolicy
  /** What differs between them: what contradicts itself already is nobody's fault today. */
  changed: ReadonlySet<PolicyKey>
}

/**
 * The rules between the keys of the login configuration.
 * @throws Refusal `login-config.…`, naming the fields; nothing is written then.
 */
export async function checkLoginConfig(ctx: Context, stored: Snapshot, wanted: Snapshot): Promise<void> {
  const [before, after] = [SignInPolicy.parse(stored), SignInPolicy.parse(wanted)]
  const changed = new Set(POLICY_KEYS.filter((key) => !isDeepStrictEqual(before[key], after[key])))
  refuseContradictions({ before, after, changed })
  await refuseUnknownCodes(ctx, { before, after, changed })
  await refuseLockingOut(ctx, { before, after, changed })
}

function refuseContradictions({ after, changed }: Policies): void {
  const touched = (...keys: PolicyKey[]) => keys.filter((key) => changed.has(key))
  const { passwordMinLength: min, passwordMaxLength: max } = after
  const lengths = touched('passwordMinLength', 'passwordMaxLength')
  if (lengths.length > 0 && min > max)
    throw errors['login-config.password-lengths']({ params: { min, max }, data: { fields: lengths } })
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

/** A rule keeps what was deleted since, and shows it; nobody adds what is not there. */
async function refuseUnknownCodes(ctx: Context, { before, after }: Policies): Promise<void> {
  const categories = added(before.secondFactorCategories, after.secondFactorCategories)
  const applications = added(before.secondFactorApplications, after.secondFactorApplications)
  if (categories.length + applications.length === 0) return
  const known = await findKnownCodes(ctx.db, { categories, applications })
  const unknown = (kind: 'category' | 'application', codes: string[]) =>
    codes.find((code) => !known.some((one) => one.kind === kind && one.code === code))
  const category = unknown('category', categories)
  if (category !== undefined)
    throw errors['login-config.unknown-category']({
      params: { code: category },
      data: { fields: ['secondFactorCategories'] },
    })
  const application = unknown('application', applications)
  if (application !== undefined)
    throw errors['login-config.unknown-application']({
      params: { code: application },
      data: { fields: ['secondFactorApplications'] },
    })
}

/** Whoever changes it must be able to log in again by what they have: a password with a name that counts, or a code that reaches them. */
async function refuseLockingOut(ctx: Context, { after, changed }: Policies): Promise<void> {
  const userId = ctx.caller?.userId
  if (!userId || !(changed.has('loginTypes') || changed.has('loginNames'))) return
  const names = await listLoginNameKinds(ctx.db, userId)
  const takesPassword = after.loginTypes.includes('user')
  if (takesPassword && after.loginNames.some((kind) => names.includes(kind))) return
  const channels = await findConfiguredChannels(ctx)
  const isReached = (channels.sms && names.includes('phone')) || (channels.mail && names.includes('mailbox'))
  if (after.loginTypes.includes('captcha') && isReached) return
  const field = takesPassword ? 'loginNames' : 'loginTypes'
  const rule = ctx.translate(ctx.client.language, `audit-field.${field}`)
  throw errors['login-config.locks-out']({ params: { rule }, data: { fields: [field] } })
}
