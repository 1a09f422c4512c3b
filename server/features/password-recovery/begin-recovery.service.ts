import { loginNamesOf } from '#shared/contract/account-fields.ts'
import type { Recovery, RecoveryRefusalData, RecoveryRules } from '#shared/contract/password-recovery.ts'
import { canonicalLoginName } from '#shared/rules/login-name.ts'
import { canonicalPersonName } from '#shared/rules/person-name.ts'
import { isSameSecret } from '../../platform/crypto.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import { withMinimumDuration } from '../../platform/minimum-duration.ts'
import type { Context } from '../../platform/platform.ts'
import { accountFieldRules } from '../account-fields/index.ts'
import { addressMac } from '../attempts/index.ts'
import { verifyCaptcha } from '../captcha/index.ts'
import { findConfiguredChannels } from '../messages/index.ts'
import { listQuestions } from '../security-questions/index.ts'
import { ensureBrowserId } from '../sessions/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { whereCodesArrive } from '../verification-codes/index.ts'
import { findDecoyContacts } from './decoy-contacts.service.ts'
import { errors } from './password-recovery.errors.ts'
import { findRecoveryUser, type RecoveryUserRow } from './password-recovery.store.ts'
import {
  availableMethods,
  CHANNELS,
  contactHint,
  createFlow,
  FLOW_SECONDS,
  type RecoveryFlow,
} from './recovery-flow.service.ts'
import { getRecoveryRules } from './recovery-settings.service.ts'

type BeginRecoveryInput = {
  account: string
  name?: string | undefined
  captchaId?: string | undefined
  captcha?: string | undefined
}

/** Recoveries per address and hour: a whole campus on its first day stays below. */
const MAX_RECOVERIES_PER_HOUR = 600

/**
 * Starts a recovery for the person named. The masked destinations of codes are real only for somebody who knows account and name, and
 * invented for everybody else: unknown account, wrong name, account never activated. The answers are identical in shape, wording and
 * timing.
 * @throws Refusal `password-recovery.not-offered`, `.captcha-required`, `.captcha-wrong`, `.too-many`
 */
export async function beginRecovery(ctx: Context, exchange: Exchange, who: BeginRecoveryInput): Promise<Recovery> {
  const rules = await getRecoveryRules(ctx)
  if (!rules.offered) throw errors['password-recovery.not-offered']()
  const browser = ensureBrowserId(ctx.config, exchange.request, exchange.reply)
  await requireCaptcha(ctx, browser, who)
  const address = addressMac(ctx, ctx.client.ip).toString('base64')
  const begun = await ctx.state.increment('password-recovery-begun', address, 3600)
  if (begun > MAX_RECOVERIES_PER_HOUR) throw errors['password-recovery.too-many']({ retryAfter: 3600 })
  return await withMinimumDuration(() => createRecovery(ctx, rules, browser, who))
}

async function createRecovery(
  ctx: Context,
  rules: RecoveryRules,
  browser: string,
  who: BeginRecoveryInput,
): Promise<Recovery> {
  const canonical = canonicalLoginName(who.account)
  const name = rules.asksName ? canonicalPersonName(who.name ?? '') : ''
  // Both together: whoever knows only the account must not be able to use up its holder's limit. Hashed: people type passwords anywhere.
  const typed = ctx.secrets.mac(JSON.stringify(['recovery', canonical, name])).toString('base64url')
  const kinds = loginNamesOf(await accountFieldRules(ctx))
  // PostgreSQL rejects NUL, and no name contains one.
  const found = await findRecoveryUser(ctx.db, canonical.includes('\0') ? '' : canonical, kinds, ctx.now())
  const decoy = await findDecoyContacts(ctx, typed)
  const user = isSamePerson(rules, found, name) ? found : null
  const shape = user ?? decoy
  const { methods, questionsNeedCode } = availableMethods(rules, await findConfiguredChannels(ctx), shape)
  const flow: RecoveryFlow = {
    browser,
    typed,
    userId: user?.userId ?? null,
    phone: shape.phone,
    mailbox: shape.mailbox,
    methods,
    questionsNeedCode,
    passwordChangedAt: user?.passwordChangedAt ?? null,
    appointedAt: user?.appointedAt ?? null,
  }
  const questionSubject = { userId: flow.userId, name: typed }
  return {
    id: await createFlow(ctx, flow),
    secondsLeft: FLOW_SECONDS,
    methods: await Promise.all(
      methods.map(async (method) => ({
        method,
        hint: contactHint(method, flow),
        channels: method === 'questions' ? [] : await whereCodesArrive(ctx, 'recovery', CHANNELS[method]),
      })),
    ),
    questions: methods.includes('questions') ? await listQuestions(ctx, questionSubject) : [],
    questionsNeedCode,
  }
}

function isSamePerson(rules: RecoveryRules, found: RecoveryUserRow | null, name: string): boolean {
  const isSame = isSameSecret(canonicalPersonName(found?.name ?? ''), name)
  return found !== null && (isSame || !rules.asksName)
}

async function requireCaptcha(
  ctx: Context,
  browser: string,
  { captchaId, captcha }: BeginRecoveryInput,
): Promise<void> {
  const { captchaKind, captchaOn } = await signInPolicy(ctx)
  if (!captchaOn.includes('recovery')) return
  const result = await verifyCaptcha(ctx, { purpose: 'recovery', browser, captchaId, captcha })
  if (result === 'right') return
  const data: RecoveryRefusalData = { captcha: { kind: captchaKind } }
  throw errors[result === 'absent' ? 'password-recovery.captcha-required' : 'password-recovery.captcha-wrong']({ data })
}
