import type { LightPage } from '#shared/contract/light-page.ts'
import type { PreviewStep } from '#shared/rules/prompt-preview.ts'
import { samplePage } from '../appearance-preview/index.ts'
import { login, loginAnswer, secondFactor, sessionLimit, TYPED_LOGIN } from './light-screens.rules.ts'
import type { PromptPage } from './prompt-screens.types.ts'

const press = (button: string): PreviewStep => ({ press: button })
const SUBMIT = press('button[type=submit]')

/** The login page, its second factor, and what surrounds every light page. */
export const ACCOUNT_LOGIN: PromptPage = {
  texts: /^(login|captcha|second-factor|session-limit|light)\./,
  screens: {
    login: {
      light: login(),
      shows:
        /^light\.[\w-]+$|^login\.(title|to-portal|username|password|submit|types|type\.|warn|remember-me_|forgot|first|activate|other|passkey|show)/,
    },
    empty: { light: login(), steps: [SUBMIT], shows: /^login\.missing-username$/ },
    'empty-password': {
      light: login(),
      steps: [TYPED_LOGIN[0] as PreviewStep, SUBMIT],
      shows: /^login\.missing-password$/,
    },
    sending: { light: login(), steps: TYPED_LOGIN, shows: /^login\.submitting$/ },
    unreachable: {
      light: login(),
      answers: [loginAnswer('lost')],
      steps: TYPED_LOGIN,
      shows: /^login\.unreachable$/,
    },
    'gateway-timeout': {
      light: login(),
      answers: [loginAnswer({ status: 504, body: null })],
      steps: TYPED_LOGIN,
      shows: /^login\.gateway-timeout$/,
    },
    automatic: {
      light: login({ captcha: { kind: 'proof-of-work', pictureId: 'sample' } }),
      shows: /^captcha\.automatic$/,
    },
    picture: {
      light: login({ captcha: { kind: 'picture', pictureId: 'sample-picture' } }),
      shows: /^captcha\.(picture|refresh|unreadable)/,
    },
    'picture-empty': {
      light: login({ captcha: { kind: 'picture', pictureId: 'sample-picture' } }),
      steps: TYPED_LOGIN,
      shows: /^captcha\.missing$/,
    },
    slider: {
      light: login({ captcha: { kind: 'slider', pictureId: 'sample-picture' } }),
      shows: /^captcha\.(slide|immovable)/,
    },
    'one-day': { light: login({ rememberMeLongSecond: 86_400 }), shows: /^login\.remember-me_one$/ },
    'some-hours': {
      light: login({ rememberMeLongSecond: 8 * 3600 }),
      shows: /^login\.remember-me-hours_(other|few|many|two|zero)$/,
    },
    'one-hour': { light: login({ rememberMeLongSecond: 3600 }), shows: /^login\.remember-me-hours_one$/ },
    'phone-only': {
      light: login({ type: 'captcha', codeChannels: ['sms'] }),
      steps: [SUBMIT],
      shows: /^login\.(missing-)?phone$/,
    },
    'mailbox-only': {
      light: login({ type: 'captcha', codeChannels: ['mail'] }),
      steps: [SUBMIT],
      shows: /^login\.(missing-)?mailbox$/,
    },
    'second-factor': {
      light: secondFactor({ totp: true, recovery: true, passkey: true }),
      shows:
        /^second-factor\.(title|text-totp|code|submit|other|trust|method-(passkey|recovery)|back)|^login\.to-application/,
    },
    'second-factor-recovery': {
      light: secondFactor({ totp: true, recovery: true, passkey: true }),
      steps: [press('.login-methods li:nth-child(2) button')],
      shows: /^second-factor\.(text-recovery|recovery-code|method-totp)$/,
    },
    'second-factor-passkey': {
      light: secondFactor({ totp: false, recovery: false, passkey: true }),
      shows: /^second-factor\.(text-passkey|use-passkey)$/,
    },
    'second-factor-sending': {
      light: secondFactor({ totp: true, recovery: false, passkey: false }),
      steps: [{ fill: '#code', value: '123456', at: 0 }, SUBMIT],
      shows: /^second-factor\.checking$/,
    },
    'second-factor-empty': {
      light: secondFactor({ totp: true, recovery: false, passkey: false }),
      steps: [SUBMIT],
      shows: /^second-factor\.missing$/,
    },
    sessions: { light: sessionLimit(1, 1), shows: /^session-limit\.(?!.*_(other|few|many|two|zero)$)/ },
    'more-sessions': { light: sessionLimit(3, 2), shows: /^session-limit\..*_(other|few|many|two|zero)$/ },
    post: {
      light: {
        kind: 'post',
        href: '#',
        fields: {},
        application: { name: '图书馆', names: { en: 'Library', zh_TW: '圖書館' } },
      },
      shows: /^light\.post\./,
    },
    'logging-out': {
      light: { kind: 'front-logout', urls: [], seconds: 60, next: '#', application: null },
      shows: /^light\.front-logout\./,
    },
    person: { light: samplePage('consent') as LightPage, shows: /^light\.person$/ },
    request: { light: samplePage('refused') as LightPage, shows: /^light\.request$/ },
  },
}
