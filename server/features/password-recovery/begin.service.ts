import type { Recovery, RecoveryRefusalData, RecoveryRules } from '#shared/contract/password-recovery.ts'
import { canonicalLoginName } from '#shared/rules/login-name.ts'
import { canonicalPersonName } from '#shared/rules/person-name.ts'
import { sameSecret } from '../../platform/crypto.ts'
import { inEvenTime } from '../../platform/even-time.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { addressMac } from '../attempts/index.ts'
import { spendCaptcha } from '../captcha/index.ts'
import { channelsConfigured } from '../messages/index.ts'
import { questionsOf } from '../security-questions/index.ts'
import { bindBrowser } from '../sessions/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { FLOW_SECONDS, type Flow, hintOf, openFlow, waysOf } from './flow.ts'
import { inventedShape } from './invented.ts'
import { errors } from './password-recovery.errors.ts'
import { recoveryRules } from './password-recovery.rules.ts'
import { findHolder, type Holder } from './password-recovery.store.ts'

type Who = {
  account: string
  name?: string | undefined
  captchaId?: string | undefined
  captcha?: string | undefined
}

/** Recoveries that one address may begin in an hour: a whole campus on its first day stays below. */
const MOST_AN_HOUR = 600

/**
 * Takes who somebody says they are. What is shown of where codes would go is true only for who knows account and name, and invented for
 * everybody else: nobody, a wrong name, an account that was never activated. The answers are alike in shape, words and time.
 * @throws Refusal `password-recovery.not-offered`, `.captcha-required`, `.captcha-wrong`, `.too-many`
 */
export async function beginRecovery(ctx: Context, exchange: Exchange, who: Who): Promise<Recovery> {
  const rules = await recoveryRules(ctx)
  if (!rules.offered) throw errors['password-recovery.not-offered']()
  const browser = bindBrowser(ctx.config, exchange.request, exchange.reply)
  await passCaptcha(ctx, browser, who)
  const address = addressMac(ctx, ctx.client.ip).toString('base64')
  const begun = await ctx.state.count('password-recovery-begun', address, 3600)
  if (begun > MOST_AN_HOUR) throw errors['password-recovery.too-many']({ retryAfter: 3600 })
  return await inEvenTime(() => open(ctx, rules, browser, who))
}

async function open(ctx: Context, rules: RecoveryRules, browser: string, who: Who): Promise<Recovery> {
  const canonical = canonicalLoginName(who.account)
  const name = rules.asksName ? canonicalPersonName(who.name ?? '') : ''
  // The pair: who knows only the account must not be able to use up what its holder has. Hashed: people type passwords anywhere.
  const typed = ctx.secrets.mac(JSON.stringify(['recovery', canonical, name])).toString('base64url')
  const policy = await signInPolicy(ctx)
  // PostgreSQL takes no NUL, and nobody's name has one.
  const found = await findHolder(ctx.db, canonical.includes('\0') ? '' : canonical, policy.loginNames, ctx.now())
  const invented = await inventedShape(ctx, typed)
  const holder = isHolder(rules, found, name) ? found : null
  const shape = holder ?? invented
  const { ways, questionsNeedCode } = waysOf(rules, await channelsConfigured(ctx), shape)
  const flow: Flow = {
    browser,
    typed,
    userId: holder?.userId ?? null,
    phone: shape.phone,
    mailbox: shape.mailbox,
    ways,
    questionsNeedCode,
    passwordChangedAt: holder?.passwordChangedAt ?? null,
    appointedAt: holder?.appointedAt ?? null,
  }
  const asked = { userId: flow.userId, name: typed }
  return {
    id: await openFlow(ctx, flow),
    secondsLeft: FLOW_SECONDS,
    ways: ways.map((way) => ({ way, hint: hintOf(way, flow) })),
    questions: ways.includes('questions') ? await questionsOf(ctx, asked) : [],
    questionsNeedCode,
  }
}

function isHolder(rules: RecoveryRules, found: Holder | null, name: string): boolean {
  const isSame = sameSecret(canonicalPersonName(found?.name ?? ''), name)
  return found !== null && (isSame || !rules.asksName)
}

async function passCaptcha(ctx: Context, browser: string, { captchaId, captcha }: Who): Promise<void> {
  const result = await spendCaptcha(ctx, { purpose: 'recovery', browser, captchaId, captcha })
  if (result === 'right') return
  const { captchaKind } = await signInPolicy(ctx)
  const data: RecoveryRefusalData = { captcha: { kind: captchaKind } }
  throw errors[result === 'absent' ? 'password-recovery.captcha-required' : 'password-recovery.captcha-wrong']({ data })
}
