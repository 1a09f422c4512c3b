import type { SignInRefusalData } from '#shared/contract/sign-in.ts'
import type { Context } from '../../platform/platform.ts'
import type { NotAllowed } from '../account-status/index.ts'
import { countFailure, isBlocked } from '../attempts/index.ts'
import { clientDetails, recordLogin } from '../records/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { captchaDemand } from './attempt-keys.ts'
import type { Entrant } from './sign-in.accept.ts'
import { errors } from './sign-in.errors.ts'
import type { Standing } from './sign-in.store.ts'
import { PASSWORD_TYPE, type Trial } from './sign-in.trial.ts'

/**
 * Counts and records a failure, both committed before the one refusal that every name gets.
 * @throws Refusal `sign-in.refused`
 */
export async function refuse(ctx: Context, trial: Trial, standing: Standing): Promise<never> {
  const { policy, keys } = trial
  const locked = isBlocked(standing.counter, ctx.now())
  const counter = await countFailure(ctx, policy, {
    kind: standing.isKnownDevice ? 'device' : 'name',
    key: standing.isKnownDevice ? keys.device : keys.name,
    userId: standing.person?.userId ?? null,
    addressKey: keys.addressAndName,
  })
  const { username, application } = trial.attempt
  const userId = standing.person?.userId ?? null
  const account = userId === null ? masked(username) : username.trim()
  await recordFailure(ctx, { userId, account, authType: PASSWORD_TYPE, application }, reasonOf(standing, locked))
  const next = { ...standing, counter, addressFailures: standing.addressFailures + 1 }
  const data: SignInRefusalData = { captcha: captchaDemand(policy, next) }
  throw errors['sign-in.refused']({ params: { minutes: policy.lockMinutes }, data })
}

function reasonOf({ person }: Standing, locked: boolean): string {
  if (locked) return 'attempts.locked'
  if (!person) return 'name.unknown'
  return person.hash === null ? 'password.none' : 'password.wrong'
}

const refusalOf = {
  // As good as unknown.
  'account.deleted': errors['sign-in.disabled'],
  'account.disabled': errors['sign-in.disabled'],
  'account.locked': errors['sign-in.locked'],
  'account.frozen': errors['sign-in.frozen'],
  'account.expired': errors['sign-in.expired'],
  'account.not-yet': errors['sign-in.not-yet'],
  'account.inactive': errors['sign-in.inactive'],
} as const

/** Records that the gate is closed for a person who proved who they are, and answers the refusal that says why. */
export async function closed(ctx: Context, entrant: Who, reason: NotAllowed) {
  await recordFailure(ctx, entrant, reason)
  if (!(reason in refusalOf)) throw new Error(`an account alone can't be refused for ${reason}`)
  return refusalOf[reason as keyof typeof refusalOf]()
}

/** Records that the password was changed while it was being verified, and answers the refusal of a wrong one. */
export async function outdatedPassword(ctx: Context, entrant: Who) {
  await recordFailure(ctx, entrant, 'password.wrong')
  const { lockMinutes } = await signInPolicy(ctx)
  const data: SignInRefusalData = { captcha: null }
  return errors['sign-in.refused']({ params: { minutes: lockMinutes }, data })
}

type Who = Pick<Entrant, 'account' | 'authType' | 'application'> & { userId: string | null }

/** The login record of a try that failed, by whatever way in. */
export async function recordFailure(ctx: Context, who: Who, reason: string): Promise<void> {
  await recordLogin(ctx, {
    userId: who.userId,
    account: who.account,
    authType: who.authType,
    succeeded: false,
    reason,
    applicationId: who.application?.id ?? null,
    ssoSessionId: null,
    details: await clientDetails(ctx),
  })
}

/** Nobody's name may be somebody's password in the wrong field: one character is all that is kept. */
export function masked(username: string): string {
  const [first = ''] = username.trim()
  return /[\p{L}\p{N}]/u.test(first) ? `${first}***` : '***'
}
