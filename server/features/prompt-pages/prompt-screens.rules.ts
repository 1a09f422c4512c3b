import { type LightPage, NOTICES } from '#shared/contract/light-page.ts'
import type { PromptPageName } from '#shared/contract/prompt-pages.ts'
import { sendPhoneCaptcha } from '#shared/contract/verification-codes.ts'
import type { PreviewStep } from '#shared/rules/prompt-preview.ts'
import { samplePage } from '../appearance-preview/index.ts'
import { activations } from './activation-screens.rules.ts'
import { contacts } from './contact-screens.rules.ts'
import { login } from './light-screens.rules.ts'
import { ACCOUNT_LOGIN } from './login-screens.rules.ts'
import { profiles, records } from './own-data-screens.rules.ts'
import { passwords } from './password-screens.rules.ts'
import type { PromptPage, Screen } from './prompt-screens.types.ts'
import { recoveries } from './recovery-screens.rules.ts'
import { codeAnswers } from './sample-answers.rules.ts'

const NEVER = /^$/
const LOGIN_ERRORS = /^errors\.(sign-in|captcha)\./

const press = (button: string): PreviewStep => ({ press: button })
const SUBMIT = press('button[type=submit]')
const SEND = press('.code-send')
const TARGET: PreviewStep = { fill: '#username', value: '13800001234', at: 0 }

/** The reasons shown in people's own login records. */
const REASONS = [
  'account.deleted',
  'account.disabled',
  'account.expired',
  'account.frozen',
  'account.inactive',
  'account.locked',
  'account.not-yet',
  'attempts.locked',
  'code.wrong',
  'name.unknown',
  'passkey.refused',
  'password.none',
  'password.wrong',
  'rule.refused',
  'second-factor.locked',
  'second-factor.wrong',
  'sessions.too-many',
  'third-party.unbound',
  'unknown',
]

const notices = Object.fromEntries(
  Object.keys(NOTICES).map((name): [string, Screen] => [
    `notice-${name}`,
    {
      light: samplePage(name) as LightPage,
      shows: new RegExp(`^notice\\.${name}\\.|^notice\\.(${name === 'refused' ? 'back|to-portal' : '-'})$`),
    },
  ]),
)

/** @param shows by screen name; screens without an entry show no text of their own. */
const withTexts = <Name extends string>(
  screens: Record<Name, Omit<Screen, 'shows'>>,
  shows: Partial<Record<NoInfer<Name>, RegExp>>,
): Record<string, Screen> =>
  Object.fromEntries(
    Object.entries<Omit<Screen, 'shows'>>(screens).map(([name, screen]) => [
      name,
      { ...screen, shows: shows[name as Name] ?? NEVER },
    ]),
  )

export const PROMPT_SCREENS: Record<PromptPageName, PromptPage> = {
  'account-login': ACCOUNT_LOGIN,
  'account-error': {
    texts: /^(errors\.(sign-in|captcha)|login-reason|notice)\./,
    screens: {
      login: { light: login(), usual: 'errors.sign-in.refused', shows: LOGIN_ERRORS },
      records: { ...records(REASONS), shows: /^login-reason\./ },
      ...notices,
    },
  },
  'dynamicCode-login': {
    texts:
      /^(code|errors\.verification-code)\.|^login\.(target|phone|mailbox|missing-(target|phone|mailbox)|(type|method)\.captcha|code-needs-script)$|^errors\.sign-in\.(code-refused|no-target)$/,
    screens: {
      code: {
        light: login({ type: 'captcha' }),
        call: sendPhoneCaptcha,
        submit: [TARGET, SEND],
        shows: /^login\.(target|type\.captcha)$|^code\.(label|hint|send)$|^errors\./,
      },
      sent: {
        light: login({ type: 'captcha' }),
        answers: codeAnswers(true),
        steps: [TARGET, SEND],
        shows: /^code\.(again-in|sent)/,
      },
      sending: {
        light: login({ type: 'captcha' }),
        answers: codeAnswers(false),
        steps: [TARGET, SEND],
        shows: /^code\.sending$/,
      },
      empty: { light: login({ type: 'captcha' }), steps: [SUBMIT], shows: /^login\.missing-target$/ },
      'empty-code': { light: login({ type: 'captcha' }), steps: [TARGET, SUBMIT], shows: /^code\.missing$/ },
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
    },
  },
  'get-password': {
    texts: /^(recovery|recovered|errors\.password-recovery)\./,
    screens: withTexts(recoveries, {
      account: /^recovery\.(title|steps|step\.|account|name|next|who\.(title|text-name)|help|to-login)|^errors\./,
      'account-only': /^recovery\.who\.text$/,
      checking: /^recovery\.checking$/,
      methods: /^recovery\.(back|method\.(title$|text|phone$|mailbox$|questions$|questions-code))/,
      'methods-elsewhere': /^recovery\.method\.(phone|mailbox)-first$/,
      'methods-answers-alone': /^recovery\.method\.questions-alone/,
      'no-method': /^recovery\.method\.none/,
      'code-phone': /^recovery\.code\.(title-phone|text-phone|nothing)$/,
      'code-elsewhere': /^recovery\.code\.(title|text)-first$/,
      'code-mailbox': /^recovery\.code\.(title|text)-mailbox$/,
      answers: /^recovery\.answers\./,
      'code-after-answers': /^recovery\.method\.title-code$/,
      password: /^recovery\.password\./,
      done: /^recovered\./,
      'not-offered': /^errors\.password-recovery\.not-offered$/,
    }),
  },
  'account-activate': {
    texts: /^(activation|errors\.activation)\./,
    screens: withTexts(activations, {
      information:
        /^activation\.(title|steps|step\.|field\.|information\.|next|help|failed|begin-again|forgot)|^errors\./,
      checking: /^activation\.checking$/,
      identity: /^activation\.(identity\.(title|text|to-|where)|for|start-over)/,
      'identity-empty': /^activation\.code-missing$/,
      'no-code': /^activation\.identity\.unreachable$/,
      password: /^activation\.password\./,
      'security-questions': /^activation\.(questions\.|skip|back)/,
      phone: /^activation\.(phone\.|bind)/,
      mailbox: /^activation\.mailbox\./,
      profile: /^activation\.profile\./,
      'step-before': /^activation\.(taken|keep|change)$/,
      'skipped-step': /^activation\.(left-out|set-now)$/,
      finish: /^activation\.(finish\.|state\.)/,
      complete: /^activation\.(complete\.|another)/,
      link: /^activation\.code\./,
      'not-offered': /^errors\.activation\.not-offered$/,
    }),
  },
  'userData-add': {
    texts: /^(complete-profile|set-password|password|errors\.profile)\.|^errors\.password\.too-weak$/,
    screens: {
      ...withTexts(profiles, {
        profile: /^complete-profile\.(title|why|save|left)|^errors\.profile\./,
        'profile-empty': /^complete-profile\.missing$/,
      }),
      ...withTexts(passwords, {
        'first-password':
          /^set-password\.(title|why|for|submit)|^password\.(new|repeat|rules|show|rule\.(length|digits|letters|cases|special|own|common|former_(other|few|many|two|zero)))$/,
        'weak-password': /^password\.(strength|rule-broken|strength\.weak|rule\.(blocked|contains))/,
        'unlike-passwords': /^password\.(mismatch|rules-unmet)$/,
        'strong-password': /^password\.(strength\.strong|rule-met)$/,
        'password-set': /^set-password\.done\./,
      }),
    },
  },
  'phone-bind': {
    texts:
      /^set-account\.(title$|explain$|bind$|change$|remove$|kept$|last-method$|no-channel$|phone|mailbox)|^(errors\.(phone|mailbox|reauthentication)|reauthentication)\./,
    screens: withTexts(contacts, {
      list: /^set-account\.(title|explain|bind|phone|mailbox|phone\.good-for|mailbox\.good-for)$/,
      phone: /^set-account\.phone\.(bind|new)$|^errors\.(phone|reauthentication)\./,
      'phone-empty': /^set-account\.phone\.malformed$/,
      'phone-change': /^set-account\.(change|phone\.(change|consequence|remove))$/,
      'phone-remove': /^set-account\.(phone\.remove-|last-method|remove$)/,
      'phone-set': /^set-account\.phone\.done$/,
      mailbox: /^set-account\.mailbox\.(bind|new)$|^errors\.mailbox\./,
      'mailbox-empty': /^set-account\.mailbox\.malformed$/,
      'mailbox-change': /^set-account\.mailbox\.(change|consequence|remove)$/,
      'mailbox-remove': /^set-account\.mailbox\.remove-/,
      'mailbox-set': /^set-account\.mailbox\.done$/,
      'reauthentication-password': /^reauthentication\.(title|why|password|confirm|other)$/,
      'reauthentication-app': /^reauthentication\.app-code$/,
      'reauthentication-phone': /^reauthentication\.code$/,
      'reauthentication-choice': /^reauthentication\.(choose|method\.)/,
      'no-reauthentication': /^reauthentication\.no-method$/,
    }),
  },
}

/** The first screen that shows the text, else the first one. */
export const screenOf = ({ screens }: PromptPage, key: string): string =>
  Object.entries(screens).find(([, { shows }]) => shows.test(key))?.[0] ?? Object.keys(screens)[0] ?? ''
