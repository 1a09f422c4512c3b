import type { CaptchaKind } from '#shared/contract/captcha.ts'
import type { SignInRefusalData } from '#shared/contract/sign-in.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import type { Context } from '../../platform/platform.ts'
import {
  type DenialReason,
  findAccessPerson,
  type JudgedRule,
  PORTAL_APP_ID,
  type RuleNeeds,
  type RulesInForce,
  ruleMessage,
  rulesInForce,
  type SaidRule,
  saidBeforeProof,
} from '../access/index.ts'
import { addressKey, addressMac, countFailure, isCaptchaDue, minutesToWait, windowStart } from '../attempts/index.ts'
import { verifyCaptcha } from '../captcha/index.ts'
import { loadClientDetails, recordLogin } from '../records/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import type { LoginAttempt, LoginCounters } from './login-attempt.types.ts'
import { errors } from './sign-in.errors.ts'
import type { LoginState, LoginUser } from './sign-in.store.ts'

/** The counters of an attempt before it is known whose name was typed. Keyed hashes: it may be a password in the wrong field. */
export type AttemptKeys = { name: Buffer; addressAndName: Buffer }

/**
 * Departments and roles are read only after the person has proved who they are: reading them takes longer the more of them rules name, and
 * only for an existing name, which the response time would reveal.
 */
const beforeProof = (needs: RuleNeeds): RuleNeeds => ({ ...needs, organizations: [], roles: [] })

/** A person who has proved who they are, with the departments and roles that rules need. */
export async function withGroups<User extends LoginUser>(
  ctx: Context,
  { needs }: RulesInForce,
  user: User,
): Promise<User> {
  if (needs.organizations.length + needs.roles.length === 0) return user
  const facts = await findAccessPerson(ctx.db, user.userId, needs, ctx.now())
  return { ...user, ruleOrganizations: facts?.organizations ?? [], ruleRoles: facts?.roles ?? [] }
}

/** What `loadLoginState` takes for every attempt. */
export function stateQuery(
  ctx: Context,
  policy: SignInPolicy,
  { keys, rules }: { keys: AttemptKeys; rules: RulesInForce },
) {
  const now = ctx.now()
  const since = windowStart(policy, now)
  return {
    nameKey: keys.name,
    addressKey: keys.addressAndName,
    addressLimit: policy.addressFailures,
    since,
    now,
    needs: beforeProof(rules.needs),
  }
}

/** What a success clears: the failures of its own method. A stranger's failures still count. */
export const countersOf = ({ counter: { kind, key } }: LoginState, keys: AttemptKeys): LoginCounters => ({
  kind,
  key: key.toString('hex'),
  addressKey: keys.addressAndName.toString('hex'),
})

export function attemptKeys(ctx: Context, canonical: string): AttemptKeys {
  const name = ctx.secrets.mac(`name\n${canonical}`)
  return { name, addressAndName: addressKey(addressMac(ctx, ctx.client.ip), name) }
}

/**
 * Which captcha the next attempt must solve: only on risk, judged by failures of whoever has the typed name, of the name itself if nobody
 * has it, or of the address. A known device counts only its own. A rule asks everybody.
 */
function requiredCaptcha(
  policy: SignInPolicy,
  state: Omit<LoginState, 'user'>,
  isAskedByRule: boolean,
): { kind: CaptchaKind } | null {
  const { counter, isKnownDevice, addressFailures } = state
  const isRisky = isCaptchaDue(policy, 'login', { failures: counter.failures, addressFailures, isKnownDevice })
  return isRisky || isAskedByRule ? { kind: policy.captchaKind } : null
}

type CaptchaForm = { captchaId?: string | undefined; captcha?: string | undefined }

/** What rules say before it is known who logs in. A server that sends a password can't show a captcha. */
async function sayBeforeProof(ctx: Context, { application, withoutBrowser }: Target): Promise<SaidRule[]> {
  if (withoutBrowser) return []
  const { rules } = await rulesInForce(ctx)
  const facts = { place: await loadClientDetails(ctx), at: ctx.now(), appId: application?.appId ?? PORTAL_APP_ID }
  return saidBeforeProof(rules, facts)
}

type Target = Pick<LoginAttempt, 'application' | 'withoutBrowser'>

const isCaptchaAsked = async (ctx: Context, target: Target): Promise<boolean> =>
  (await sayBeforeProof(ctx, target)).some(({ mode }) => mode === 'on')

/** @throws Refusal `sign-in.captcha-required`, `sign-in.captcha-wrong` */
export async function requireCaptcha(
  ctx: Context,
  policy: SignInPolicy,
  state: LoginState,
  { captchaId, captcha, browser, attempt }: CaptchaForm & { browser: string | null; attempt: LoginAttempt },
): Promise<void> {
  const required = requiredCaptcha(policy, state, await isCaptchaAsked(ctx, attempt))
  if (!required) return
  const result = await verifyCaptcha(ctx, { purpose: 'login', browser, captchaId, captcha })
  const data: SignInRefusalData = { captcha: required }
  if (result === 'absent') throw errors['sign-in.captcha-required']({ data })
  if (result === 'wrong') throw errors['sign-in.captcha-wrong']({ data })
}

/**
 * Counts and records a failed attempt, both committed before the one error that every name gets.
 * @returns what the next attempt must bring, and how long a lock-out lasts: the same for a name that nobody has
 */
export async function countFailedGuess(
  ctx: Context,
  attempt: LoginAttempt,
  { policy, keys, state, reason }: { policy: SignInPolicy; keys: AttemptKeys; state: LoginState; reason: string },
): Promise<{ data: SignInRefusalData; params: { minutes: number } }> {
  const { kind, key } = state.counter
  const userId = state.user?.userId ?? null
  const counted = await countFailure(ctx, policy, { kind, key, userId, addressKey: keys.addressAndName })
  const failed =
    userId === null
      ? { account: maskUsername(attempt.account), accountMac: unknownNameMac(ctx, keys) }
      : { account: attempt.account }
  await recordFailure(ctx, { ...attempt, userId, ...failed }, reason)
  const next = { ...state, counter: { kind, key, ...counted }, addressFailures: state.addressFailures + 1 }
  const data = { captcha: requiredCaptcha(policy, next, await isCaptchaAsked(ctx, attempt)) }
  return { data, params: { minutes: minutesToWait(policy, counted, ctx.now()) } }
}

/**
 * Tells unknown names apart that failed from one address on one day. Not from elsewhere or later: whoever can read the records could type
 * guesses and compare, and the name may have been a password.
 */
const unknownNameMac = ({ secrets, now }: Context, { addressAndName }: AttemptKeys): number =>
  secrets.mac(`unknown name\n${now().toISOString().slice(0, 10)}\n${addressAndName.toString('hex')}`).readInt32BE()

const ACCOUNT_REFUSALS = {
  // Treated as unknown.
  'account.deleted': errors['sign-in.disabled'],
  'account.disabled': errors['sign-in.disabled'],
  'account.locked': errors['sign-in.locked'],
  'account.frozen': errors['sign-in.frozen'],
  'account.expired': errors['sign-in.expired'],
  'account.not-yet': errors['sign-in.not-yet'],
  'account.inactive': errors['sign-in.inactive'],
} as const
export type AccountDenial = keyof typeof ACCOUNT_REFUSALS

export const isAccountDenial = (reason: DenialReason | null): reason is AccountDenial =>
  reason !== null && reason in ACCOUNT_REFUSALS

/** Records that the gate refuses a person who proved who they are. @returns the error that says why */
export async function refuseAccount(ctx: Context, attempt: FailedLogin, reason: DenialReason) {
  await recordFailure(ctx, attempt, reason)
  if (!isAccountDenial(reason)) throw new Error(`an account alone can't be refused for ${reason}`)
  return ACCOUNT_REFUSALS[reason]()
}

/** Records that an access rule rejects a person who proved who they are. @returns the error with the rule's message */
export async function refuseByRule(
  ctx: Context,
  attempt: FailedLogin,
  { rule, said }: { rule: JudgedRule | null; said: readonly SaidRule[] },
) {
  await recordFailure(ctx, attempt, 'rule.refused', said)
  return errors['sign-in.rule-refused']({ params: { message: rule ? ruleMessage(rule, ctx.client.language) : '' } })
}

/** Records that the password was changed while it was being verified. @returns the error for a wrong password */
export async function refuseChangedPassword(ctx: Context, attempt: FailedLogin) {
  await recordFailure(ctx, attempt, 'password.wrong')
  const { lockMinutes } = await signInPolicy(ctx)
  const data: SignInRefusalData = { captcha: null }
  return errors['sign-in.refused']({ params: { minutes: lockMinutes }, data })
}

type FailedLogin = Pick<LoginAttempt, 'userId' | 'account' | 'authType' | 'application' | 'withoutBrowser'> & {
  accountMac?: number | null
}

/**
 * Records a failed login, by whatever method.
 * @param said by the access rules; absent: the person has not proved who they are.
 */
export async function recordFailure(
  ctx: Context,
  attempt: FailedLogin,
  reason: string,
  said?: readonly SaidRule[],
): Promise<void> {
  await recordLogin(ctx, {
    userId: attempt.userId,
    account: attempt.account,
    accountMac: attempt.accountMac ?? null,
    authType: attempt.authType,
    succeeded: false,
    reason,
    applicationId: recordedApplication(attempt)?.id ?? null,
    ssoSessionId: null,
    details: await loadClientDetails(ctx),
    said: said ?? (await sayBeforeProof(ctx, attempt)),
  })
}

/** The application in the record: none for the portal itself. Whether it may be entered is decided when the ticket is issued. */
export const recordedApplication = ({ application }: Pick<LoginAttempt, 'application'>) =>
  application?.builtIn ? null : application

/** An unknown name may be a password in the wrong field: only one character is kept. */
function maskUsername(username: string): string {
  const [first = ''] = username.trim()
  return /[\p{L}\p{N}]/u.test(first) ? `${first}***` : '***'
}
