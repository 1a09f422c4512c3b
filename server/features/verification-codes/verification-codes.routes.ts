import { sendEmail, sendPhoneCaptcha } from '#shared/contract/verification-codes.ts'
import type { Api } from '../../platform/http/mount.ts'
import { type RecipientFinders, requestCode } from './code-requests.service.ts'
import { ownRecipientFinders } from './own-recipients.service.ts'

/** @param recipientFinders for the purposes that other features send codes for */
export function mountVerificationCodes(api: Api, recipientFinders: RecipientFinders): void {
  const all = { ...ownRecipientFinders, ...recipientFinders }
  api.mount(sendEmail, (ctx, { query, body }, exchange) => {
    const { mailbox = null, purpose, captchaId, captcha } = body
    return requestCode(ctx, exchange, all, { ...query, channel: 'mail', target: mailbox, purpose, captchaId, captcha })
  })
  api.mount(sendPhoneCaptcha, (ctx, { query, body }, exchange) => {
    const { phone = null, purpose, captchaId, captcha } = body
    return requestCode(ctx, exchange, all, { ...query, channel: 'sms', target: phone, purpose, captchaId, captcha })
  })
}
