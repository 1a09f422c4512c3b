import { sendEmail, sendPhoneCaptcha } from '#shared/contract/verification-codes.ts'
import type { Api } from '../../platform/http/mount.ts'
import { type Addressees, requestCode } from './code-requests.service.ts'
import { ownAddressees } from './own-addressees.ts'

/** @param addressees of the purposes that other features send codes for. */
export function mountVerificationCodes(api: Api, addressees: Addressees): void {
  const all = { ...ownAddressees, ...addressees }
  api.mount(sendEmail, (ctx, { query, body }, exchange) => {
    const { mailbox = null, purpose, captchaId, captcha } = body
    return requestCode(ctx, exchange, all, { ...query, channel: 'mail', target: mailbox, purpose, captchaId, captcha })
  })
  api.mount(sendPhoneCaptcha, (ctx, { query, body }, exchange) => {
    const { phone = null, purpose, captchaId, captcha } = body
    return requestCode(ctx, exchange, all, { ...query, channel: 'sms', target: phone, purpose, captchaId, captcha })
  })
}
