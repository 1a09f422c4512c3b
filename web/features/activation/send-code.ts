import { sendEmail, sendPhoneCaptcha } from '#shared/contract/verification-codes.ts'
import { call } from '../../platform/api.ts'
import { withCaptcha } from '../../platform/with-captcha.ts'

/** Sends a code for an activation: to the typed contact, otherwise to the one on file. */
export const sendActivationCode = (id: string, channel: 'sms' | 'mail', typed?: string) =>
  withCaptcha('verification-code', (solved) => {
    const common = { purpose: 'activation' as const, ...solved }
    return channel === 'sms'
      ? call(sendPhoneCaptcha, { query: { id }, body: { ...common, ...(typed && { phone: typed }) } })
      : call(sendEmail, { query: { id }, body: { ...common, ...(typed && { mailbox: typed }) } })
  })
