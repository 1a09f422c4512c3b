import type { Scheme } from '../rules/design-tokens.ts'
import type { SchoolGateway } from './appearance.ts'
import type { Language } from './endpoint.ts'
import type { OfferedLanguage } from './languages.ts'
import type { LoginPageSetup } from './login-page.ts'
import type { SecondFactorStep, SessionLimitStep } from './sign-in.ts'

/** The names of a registered application in every language. */
export type ApplicationLabel = { name: string; names: Record<Language, string> }

/** A message key with its values: pages translate, so that a language switch needs no second answer. */
export type Message = { key: string; params?: Record<string, string | number> }

/**
 * A link (`href`), or with `fields` a form posted to it. `href` must already be validated: pages navigate to it as it
 * is.
 */
export type LightAction = { text: Message; href: string; primary?: boolean; fields?: Record<string, string> }

/** What can be entered on the login page itself: account and password, or a code sent to a phone or email address. */
export type LoginType = 'user' | 'captcha'

/** A third-party login, offered once configured. `key` is the login type in the records. */
export type ExternalLogin = {
  key: string
  label: ApplicationLabel
  href: string
  /** The origin of its QR code page, which the login page may frame; absent if there is none. */
  frameOrigin?: string
}

/** A refusal as declared by its feature. */
export type LightError = { code: string; params: Record<string, string | number> }

/**
 * The captcha for the next attempt. `pictureId` names a picture of `pic_captcha.jpg` for browsers without scripts,
 * whatever the kind; it is also the first picture of kind `picture`.
 */
export type CaptchaDemand = { kind: 'proof-of-work' | 'picture' | 'slider'; pictureId: string }

export type LoginPage = {
  kind: 'login'
  /** The form's action, including the query. */
  action: string
  /** The service as received. */
  service: string | null
  /** Null for the portal itself, and without a service. */
  application: ApplicationLabel | null
  username: string
  error: LightError | null
  captcha: CaptchaDemand | null
  /** 0 hides the option. */
  rememberMeLongSecond: number
  warnOffered: boolean
  /** At least one. */
  types: LoginType[]
  type: LoginType
  /** Channels for login codes; empty without the type `captcha`. */
  codeChannels: ('sms' | 'mail')[]
  otherMethods: ExternalLogin[]
  /** The browser can use passkeys here. */
  passkey: boolean
  /** Links appear only if the feature is enabled. */
  activation: boolean
  forgotPassword: boolean
}

/** The second factor of a login, or one that a session still lacks for an application. */
export type SecondFactorPage = {
  kind: 'second-factor'
  /** The form's action, including the query. */
  action: string
  service: string | null
  application: ApplicationLabel | null
  step: SecondFactorStep
  error: LightError | null
  /** Where to start over as somebody else. */
  back: string
}

/** A login that waits until other logins of the person have ended. */
export type SessionLimitPage = {
  kind: 'session-limit'
  /** The form's action, including the query. */
  action: string
  service: string | null
  application: ApplicationLabel | null
  sessionLimit: SessionLimitStep
  /** Where to start over as somebody else. */
  back: string
}

/** Every notice with its tone; the messages are `notice.<name>.title` and `notice.<name>.text`. */
export const NOTICES = {
  'application-unknown': 'caution',
  'application-denied': 'caution',
  'application-disabled': 'caution',
  'application-needs-mailbox': 'caution',
  'application-needs-phone': 'caution',
  'application-needs-alias': 'caution',
  'application-needs-name': 'caution',
  'application-wants-header': 'caution',
  'signed-in': 'well',
  'signed-out': 'well',
  'device-connected': 'well',
  'device-refused': 'caution',
  'third-party-unbound': 'caution',
  'third-party-to-bind': 'info',
  'third-party-to-create': 'info',
  'third-party-created-inactive': 'well',
  'third-party-created-disabled': 'well',
  refused: 'danger',
} as const
export type NoticeName = keyof typeof NOTICES

export type NoticePage = {
  kind: 'notice'
  name: NoticeName
  /** Named in the text, if any. */
  application: ApplicationLabel | null
  /** The display name of the logged-in person. */
  person: string | null
  /** With `refused`: its message is the text. */
  error: LightError | null
  /** For the help desk; shown only for a notice in tone danger or caution. */
  requestId: string
  actions: LightAction[]
}

/** `continue`: the interstitial of `warn`. `log-out`: another site or a stray link requested a logout. */
export type ConfirmPage = {
  kind: 'confirm'
  name: 'continue' | 'log-out'
  application: ApplicationLabel | null
  person: string | null
  /** The first is the most likely one. */
  actions: LightAction[]
}

/** CAS `method=POST`: posts `fields` to `href` automatically, with a button for browsers without scripts. */
export type PostPage = {
  kind: 'post'
  href: string
  fields: Record<string, string>
  application: ApplicationLabel | null
}

/** Notifies applications in the browser that the session ended, for at most `seconds`, then continues to `next`. */
export type FrontLogoutPage = {
  kind: 'front-logout'
  urls: string[]
  seconds: number
  /** Null: ends with the notice `signed-out`. */
  next: string | null
  application: ApplicationLabel | null
  /** With `next` null: replaces the text of the final notice. */
  error?: LightError | null
}

/** What an application will receive, and whether the person agrees. */
export type ConsentPage = {
  kind: 'consent'
  application: ApplicationLabel
  picture: string | null
  /** The display name of the logged-in person. */
  person: string
  /** Each has the message `consent.<one>`. */
  learns: string[]
  /** The code shown on the device, to compare; null outside the device flow. */
  code: string | null
  actions: LightAction[]
}

/** Takes the code shown on a device without a keyboard. */
export type DevicePage = {
  kind: 'device'
  action: string
  userCode: string
  error: LightError | null
}

/** A page rendered by the light entry; sent as JSON inside its HTML. */
export type LightPage =
  | LoginPage
  | SecondFactorPage
  | SessionLimitPage
  | NoticePage
  | ConfirmPage
  | ConsentPage
  | DevicePage
  | PostPage
  | FrontLogoutPage

/** The environment of a light page in one language. */
export type PageEnvironment = {
  language: Language
  direction: 'ltr' | 'rtl'
  /** The available languages in the institution's order. */
  languages: OfferedLanguage[]
  school: SchoolGateway
  messages: Record<string, string>
  setup: LoginPageSetup
}

/** The input of the light entry, on the server and in the browser alike. */
export type LightData = {
  page: LightPage
  surroundings: PageEnvironment
  /** The chosen one; null follows the system. */
  theme: Scheme | null
  /**
   * This page's address, to which `lang=` or `theme=` is appended; null when a repeated request would repeat an action.
   */
  self: string | null
}
