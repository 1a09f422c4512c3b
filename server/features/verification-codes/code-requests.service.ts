import type { CodeChannel, CodePurpose, CodeRefusalData, CodeSent } from '#shared/contract/verification-codes.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import { withMinimumDuration } from '../../platform/minimum-duration.ts'
import type { Context } from '../../platform/platform.ts'
import { verifyCaptcha } from '../captcha/index.ts'
import { ensureBrowserId } from '../sessions/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { needsCaptcha } from './code-limits.service.ts'
import { errors } from './verification-codes.errors.ts'
import { sendCode } from './verification-codes.service.ts'

/** The recipient of a code that a page requests. */
type Recipient = {
  userId: string | null
  target: string
  /** What was typed if it wasn't the target; see `sendCode`. */
  typed?: string
  /** The person chose it, and it may be anybody's; see `sendCode`. */
  isChosen?: boolean
  /** Without a login: on risk a captcha is required, and the response time must not reveal whether anybody is there. */
  isStranger: boolean
}

export type RecipientQuery = { id: string; channel: CodeChannel; target: string | null }

/**
 * Finds the recipient for one purpose; a feature whose pages request codes exports one, and the composition root passes it to the mount.
 * @throws Refusal of the feature, identical for everybody.
 */
export type FindRecipient = (ctx: Context, exchange: Exchange, asked: RecipientQuery) => Promise<Recipient>
export type RecipientFinders = Partial<Record<CodePurpose, FindRecipient>>

type CodeRequest = RecipientQuery & { purpose: CodePurpose; captchaId: string | undefined; captcha: string | undefined }

/** Sends the code that a page requests. @throws Refusal of `sendCode`, of the recipient, or about the captcha. */
export async function requestCode(
  ctx: Context,
  exchange: Exchange,
  recipientFinders: RecipientFinders,
  codeRequest: CodeRequest,
): Promise<CodeSent> {
  const find = recipientFinders[codeRequest.purpose]
  if (!find) throw errors['verification-code.no-target']()
  return await withMinimumDuration(async () => {
    const { isStranger, ...to } = await find(ctx, exchange, codeRequest)
    const browser = ensureBrowserId(ctx.config, exchange.request, exchange.reply)
    if (isStranger) await requireCaptcha(ctx, codeRequest, to.typed ?? to.target, browser)
    const { purpose, channel } = codeRequest
    const code = { ...to, purpose, channel, language: ctx.client.language }
    return await sendCode(ctx, isStranger ? { ...code, browser } : code)
  })
}

async function requireCaptcha(ctx: Context, asked: CodeRequest, whom: string, browser: string): Promise<void> {
  const { captchaKind, captchaOn } = await signInPolicy(ctx)
  if (!captchaOn.includes('code') || !(await needsCaptcha(ctx, whom))) return
  const { captchaId, captcha } = asked
  const result = await verifyCaptcha(ctx, { purpose: 'verification-code', browser, captchaId, captcha })
  if (result === 'right') return
  const data: CodeRefusalData = { captcha: { kind: captchaKind } }
  throw errors[result === 'absent' ? 'verification-code.captcha-required' : 'verification-code.captcha-wrong']({ data })
}
