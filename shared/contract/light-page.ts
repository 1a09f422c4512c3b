import type { Scheme } from '../rules/design-tokens.ts'
import type { SchoolGateway } from './appearance.ts'
import type { Language } from './endpoint.ts'
import type { OfferedLanguage } from './languages.ts'
import type { LoginPageSetup } from './login-page.ts'
import type { RoomStep, SecondFactorStep } from './sign-in.ts'

/** What a page needs to show a registered application in any language. */
export type ApplicationLabel = { name: string; names: Record<Language, string> }

/** A message key with its values: pages translate, so that a language switch needs no second answer. */
export type Message = { key: string; params?: Record<string, string | number> }

/** A link (`href`), or with `fields` a form posted to it. `href` must already be vetted: pages navigate to it as it is. */
export type LightAction = { text: Message; href: string; primary?: boolean; fields?: Record<string, string> }

/** What is typed on the login page itself: account and password, or a code that was sent to a phone or mailbox. */
export type LoginType = 'user' | 'captcha'

/** A way in that another system leads, offered once it is configured. `key` is the login type that the records show. */
export type ExternalLogin = {
  key: string
  label: ApplicationLabel
  href: string
  /** The one origin of its page with a code to scan, which the login page may frame; absent where there is none. */
  frameOrigin?: string
}

/** A refusal as its feature declared it. */
export type LightError = { code: string; params: Record<string, string | number> }

/**
 * What must be solved before the next try. `pictureId` names a picture of `pic_captcha.jpg` for a browser without script,
 * whatever the kind; it is also the first picture of kind `picture`.
 */
export type CaptchaDemand = { kind: 'proof-of-work' | 'picture' | 'slider'; pictureId: string }

export type LoginPage = {
  kind: 'login'
  /** Where the form is posted, query included. */
  action: string
  /** The service as it was given. */
  service: string | null
  /** Null for the portal itself, and without a service. */
  application: ApplicationLabel | null
  username: string
  error: LightError | null
  captcha: CaptchaDemand | null
  /** 0 hides the choice. */
  rememberMeLongSecond: number
  warnOffered: boolean
  /** At least one. */
  types: LoginType[]
  type: LoginType
  /** Where a code for the login can be sent to; empty without the type `captcha`. */
  codeChannels: ('sms' | 'mail')[]
  otherWays: ExternalLogin[]
  /** Browsers allow passkeys here. */
  passkey: boolean
  /** Links appear only when the feature behind them exists. */
  activation: boolean
  forgotPassword: boolean
}

/** The second step of a login, or what a session still lacks for an application. */
export type SecondFactorPage = {
  kind: 'second-factor'
  /** Where the form is posted, query included. */
  action: string
  service: string | null
  application: ApplicationLabel | null
  step: SecondFactorStep
  error: LightError | null
  /** Where somebody else begins. */
  back: string
}

/** A login that waits until others of the person have ended. */
export type RoomPage = {
  kind: 'room'
  /** Where the form is posted, query included. */
  action: string
  service: string | null
  application: ApplicationLabel | null
  room: RoomStep
  /** Where somebody else begins. */
  back: string
}

/** Every notice with its tone; the wording is `notice.<name>.title` and `notice.<name>.text`. */
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
  refused: 'danger',
} as const
export type NoticeName = keyof typeof NOTICES

export type NoticePage = {
  kind: 'notice'
  name: NoticeName
  /** Named in the text where one is concerned. */
  application: ApplicationLabel | null
  /** Who is signed in, by display name. */
  person: string | null
  /** With `refused`: its sentence is the text. */
  error: LightError | null
  /** To quote to the help desk; shown only for a notice in tone danger or caution. */
  requestId: string
  actions: LightAction[]
}

/** `continue`: the interstitial of `warn`. `log-out`: another site or a stray link asked for a logout. */
export type ConfirmPage = {
  kind: 'confirm'
  name: 'continue' | 'log-out'
  application: ApplicationLabel | null
  person: string | null
  /** The first is the one the person probably wants. */
  actions: LightAction[]
}

/** CAS `method=POST`: posts `fields` to `href` by itself, with a button for a browser without script. */
export type PostPage = {
  kind: 'post'
  href: string
  fields: Record<string, string>
  application: ApplicationLabel | null
}

/** Tells applications in the browser that the session ended, at most `seconds` long, then goes on to `next`. */
export type FrontLogoutPage = {
  kind: 'front-logout'
  urls: string[]
  seconds: number
  /** Null: ends as the notice `signed-out`. */
  next: string | null
  application: ApplicationLabel | null
  /** With `next` null: what the notice at the end says instead of its own text. */
  error?: LightError | null
}

/** What an application will learn, and whether the person agrees. */
export type ConsentPage = {
  kind: 'consent'
  application: ApplicationLabel
  picture: string | null
  /** Who is logged in, by display name. */
  person: string
  /** The wording of each is `consent.<one>`. */
  learns: string[]
  /** The code that a device shows, to compare; null outside the device flow. */
  code: string | null
  actions: LightAction[]
}

/** Where the code is typed that a device without a keyboard shows. */
export type DevicePage = {
  kind: 'device'
  action: string
  userCode: string
  error: LightError | null
}

/** A page that the light entry renders; it travels as JSON inside its HTML. */
export type LightPage =
  | LoginPage
  | SecondFactorPage
  | RoomPage
  | NoticePage
  | ConfirmPage
  | ConsentPage
  | DevicePage
  | PostPage
  | FrontLogoutPage

/** What surrounds a light page in one language. */
export type PageEnvironment = {
  language: Language
  direction: 'ltr' | 'rtl'
  /** Those that the institution offers, in its order. */
  languages: OfferedLanguage[]
  school: SchoolGateway
  messages: Record<string, string>
  setup: LoginPageSetup
}

/** Everything that the light entry renders from, on the server and in the browser alike. */
export type LightData = {
  page: LightPage
  surroundings: PageEnvironment
  /** Chosen; null follows the system. */
  theme: Scheme | null
  /** This page's own address, to which `lang=` or `theme=` is appended; null when asking again would repeat an action. */
  self: string | null
}
