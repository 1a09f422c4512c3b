import type { CodeChannel, CodePurpose, CodeRefusalData, CodeSent } from '#shared/contract/verification-codes.ts'
import { inEvenTime } from '../../platform/even-time.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { spendCaptcha } from '../captcha/index.ts'
import { bindBrowser } from '../sessions/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { isRisky } from './limits.service.ts'
import { errors } from './verification-codes.errors.ts'
import { sendCode } from './verification-codes.service.ts'

/** To whom a code goes that a page asks for. */
type Addressee = {
  userId: string | null
  target: string
  /** What was typed where it wasn't the target; see `sendCode`. */
  typed?: string
  /** The person named it, and it may be anybody's; see `sendCode`. */
  isChosen?: boolean
  /** No login stands behind it: on risk a captcha is asked for, and the time must not tell whether anybody is there. */
  isStranger: boolean
}

export type Asked = { id: string; channel: CodeChannel; target: string | null }

/**
 * Finds the addressee of one purpose; a feature whose pages ask for codes exports one, and the composition root hands it to the mount.
 * @throws Refusal whatever the feature refuses, alike for everybody.
 */
export type FindAddressee = (ctx: Context, exchange: Exchange, asked: Asked) => Promise<Addressee>
export type Addressees = Partial<Record<CodePurpose, FindAddressee>>

type CodeRequest = Asked & { purpose: CodePurpose; captchaId: string | undefined; captcha: string | undefined }

/** Sends the code that a page asks for. @throws Refusal of `sendCode`, of the addressee, or about the captcha. */
export async function requestCode(
  ctx: Context,
  exchange: Exchange,
  addressees: Addressees,
  asked: CodeRequest,
): Promise<CodeSent> {
  const find = addressees[asked.purpose]
  if (!find) throw errors['verification-code.no-target']()
  return await inEvenTime(async () => {
    const { isStranger, ...to } = await find(ctx, exchange, asked)
    const browser = bindBrowser(ctx.config, exchange.request, exchange.reply)
    if (isStranger) await passCaptcha(ctx, asked, to.typed ?? to.target, browser)
    const { purpose, channel } = asked
    const code = { ...to, purpose, channel, language: ctx.client.language }
    return await sendCode(ctx, isStranger ? { ...code, browser } : code)
  })
}

async function passCaptcha(ctx: Context, asked: CodeRequest, whom: string, browser: string): Promise<void> {
  if (!(await isRisky(ctx, whom))) return
  const { captchaId, captcha } = asked
  const result = await spendCaptcha(ctx, { purpose: 'verification-code', browser, captchaId, captcha })
  if (result === 'right') return
  const { captchaKind } = await signInPolicy(ctx)
  const data: CodeRefusalData = { captcha: { kind: captchaKind } }
  throw errors[result === 'absent' ? 'verification-code.captcha-required' : 'verification-code.captcha-wrong']({ data })
}
