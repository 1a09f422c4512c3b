import type { LightPage, LoginPage } from '#shared/contract/light-page.ts'
import type { SampleAnswer } from '#shared/rules/prompt-preview.ts'
import { ACCOUNT, AT, fill, LIBRARY, SUBMIT } from './sample-answers.rules.ts'

const LOGIN_FORM = { method: 'POST', path: '/fwk_cas_service/login' }
export const loginAnswer = (given: SampleAnswer['answer']): SampleAnswer => ({ ...LOGIN_FORM, answer: given })
export const TYPED_LOGIN = [fill('#username', ACCOUNT), fill('#password', 'password'), SUBMIT]

/** Every login method, whatever the institution offers now. */
export const login = (given: Partial<LoginPage> = {}): LightPage => ({
  kind: 'login',
  action: LOGIN_FORM.path,
  service: null,
  application: null,
  username: '',
  error: null,
  captcha: null,
  rememberMeLongSecond: 7 * 86_400,
  warnOffered: true,
  types: ['user', 'captcha'],
  type: 'user',
  codeChannels: ['sms', 'mail'],
  otherMethods: [
    {
      key: 'sample',
      label: { name: 'WeCom', names: { zh_CN: '企业微信', zh_TW: '企業微信', en: 'WeCom' } },
      href: '#',
    },
  ],
  passkey: true,
  activation: true,
  forgotPassword: true,
  ...given,
})

const STAYS = { action: LOGIN_FORM.path, service: null, application: LIBRARY, back: '#' }

export const secondFactor = (step: { totp: boolean; recovery: boolean; passkey: boolean }): LightPage => ({
  kind: 'second-factor',
  ...STAYS,
  step: { ...step, passkey: step.passkey ? { rpId: 'localhost', allow: [] } : null, trustDays: 30 },
  error: null,
})

/** @param toEnd how many sessions have to be ended. */
export const sessionLimit = (most: number, toEnd: number): LightPage => ({
  kind: 'session-limit',
  ...STAYS,
  sessionLimit: {
    most,
    toEnd,
    logins: [
      { id: '1', browser: 'Chrome', device: 'Windows', ip: '192.0.2.10', lastSeen: AT },
      { id: '2', browser: 'Safari', device: '', ip: '192.0.2.20', lastSeen: AT },
    ],
  },
})
