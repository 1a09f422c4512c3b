import type { z } from 'zod'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { sendEmail, sendPhoneCaptcha } from '#shared/contract/verification-codes.ts'
import type { PreviewStep, SampleAnswer } from '#shared/rules/prompt-preview.ts'

/** Sample data. */
export const AT = '2026-01-05T08:00:00.000Z'
export const ACCOUNT = '20260001'
export const NAME = '李雷'
export const PHONE = '138****1234'
export const MAILBOX = 'l***@example.edu'
export const LIBRARY = { name: '图书馆', names: { zh_CN: '图书馆', zh_TW: '圖書館', en: 'Library' } }

export const addressOf = ({ method, path }: Endpoint) => ({ method, path: `/auth_service${path}` })

/** The sample response of a call. */
export const answer = <E extends Endpoint>(endpoint: E, data: z.input<E['output']>): SampleAnswer => ({
  ...addressOf(endpoint),
  answer: { status: 200, body: { state: 200, message: '', data } },
})

/** @param message the server's message, as it is shown. */
export const refusal = (endpoint: Endpoint, code: string, message: string): SampleAnswer => ({
  ...addressOf(endpoint),
  answer: { status: 400, body: { state: 400, code, message, data: null } },
})

export const fill = (field: string, value: string, at = 0): PreviewStep => ({ fill: field, value, at })
export const press = (button: string): PreviewStep => ({ press: button })
export const SUBMIT = press('button[type=submit]')

/** With a response for a screen that stays open, or none, as a test of the address expects. */
export const codeAnswers = (isSent: boolean): SampleAnswer[] =>
  isSent
    ? [sendEmail, sendPhoneCaptcha].map((call) =>
        answer(call, { secondsLeft: 60, expiresInSeconds: 300, channels: ['wecom', 'sms'] }),
      )
    : [sendEmail, sendPhoneCaptcha].map((call) => ({ ...addressOf(call), answer: 'none' as const }))
