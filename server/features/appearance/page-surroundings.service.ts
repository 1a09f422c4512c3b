import { Gateway, type PortalSurroundings, type SchoolGateway } from '#shared/contract/appearance.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import type { LightPage, PageEnvironment } from '#shared/contract/light-page.ts'
import type { Banner, PreviewDraft } from '#shared/contract/themes.ts'
import type { Platform } from '../../platform/platform.ts'
import { readableByKey, readSettings } from '../../platform/settings.ts'
import { languagesVersion, offeredLanguages } from '../languages/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { findBanner } from './appearance-settings.service.ts'
import { DEFAULT_LOGIN_PAGE, loadLoginPage, setupIn } from './login-page-setup.service.ts'

/** The shipped favicon, used if the institution has none. */
export const DEFAULT_FAVICON = '/auth_web/favicon.svg'

const ReadableGateway = readableByKey(Gateway)

export const loadGatewaySettings = (platform: Platform): Promise<Gateway> =>
  readSettings(platform, 'gateway', ReadableGateway)

export const pickText = (texts: Record<Language, string>, language: Language): string | undefined =>
  texts[language] ?? texts.zh_CN ?? texts.zh_TW ?? texts.en

/** The institution in one language. */
export async function loadSchoolGateway(platform: Platform, language: Language): Promise<SchoolGateway> {
  const gateway = await loadGatewaySettings(platform)
  return {
    schoolName: pickText(gateway.names, language) ?? platform.translate(language, 'institution.unnamed'),
    pageLabelLogo: gateway.pageLabelLogo ?? DEFAULT_FAVICON,
    logo: gateway.logo,
    contact: pickText(gateway.contacts, language) ?? null,
    privacyUrl: gateway.privacyUrl,
    helpUrl: gateway.helpUrl,
    banner: bannerIn(await findBanner(platform), language),
  }
}

const bannerIn = (banner: Banner | null, language: Language): SchoolGateway['banner'] => {
  const text = banner && pickText(banner.texts, language)
  return banner && text ? { text, tone: banner.tone } : null
}

/** The settings that a browser must know. */
export async function loadBrowserSettings(platform: Platform): Promise<PortalSurroundings['settings']> {
  const policy = await signInPolicy(platform)
  return {
    switchOfExpirationLogout: policy.switchOfExpirationLogout,
    expirationMinutes: policy.expirationMinutes,
    rememberMeLongSecond: policy.rememberMeLongSecond,
    passwordMinLength: policy.passwordMinLength,
    passwordMaxLength: policy.passwordMaxLength,
    passwordLevel: policy.passwordLevel,
  }
}

/** A kind of page, or the accessible reading toolbar, which a page fetches when somebody opens it. */
type PageKind = LightPage['kind'] | 'reading'

/** The texts of each kind of page. An error that arrives later brings its own message. */
const MESSAGE_PATTERNS: Record<PageKind, RegExp> = {
  reading: /^reading\./,
  login:
    /^(login|captcha|code|second-factor|session-limit)\.|^light\.[\w-]+$|^(errors\.server\.error|list\.separator)$/,
  'second-factor':
    /^(second-factor|session-limit)\.|^login\.(gateway|unreachable|opening|to-application)|^light\.[\w-]+$|^errors\.server\.error$/,
  'session-limit':
    /^session-limit\.|^login\.(gateway|unreachable|opening|to-application|submitting)|^light\.[\w-]+$|^errors\.server\.error$/,
  notice: /^notice\.|^light\.[\w-]+$/,
  confirm: /^confirm\.|^light\.[\w-]+$/,
  consent: /^consent\.|^light\.[\w-]+$/,
  device: /^device\.|^light\.[\w-]+$/,
  post: /^light\./,
  'front-logout': /^light\.|^notice\.(signed-out|to-login)/,
}

/** Errors that a page of the kind may be showing when the user switches the language. */
const REFUSAL_PATTERNS: Partial<Record<PageKind, RegExp>> = {
  login: /^errors\.(sign-in|captcha|request|service|server)\./,
  'second-factor': /^errors\.(sign-in|request|service|server)\./,
  'session-limit': /^errors\.(sign-in|request|service|server)\./,
  notice: /^errors\./,
  device: /^errors\.device\./,
}

const messagesLike = ({ wording }: Platform, language: Language, ...patterns: (RegExp | undefined)[]) =>
  Object.fromEntries(
    Object.entries(wording.messages(language)).filter(([key]) => patterns.some((pattern) => pattern?.test(key))),
  )

/**
 * Everything around a light page that depends on the language; cached until a setting or a text changes, or the banner appears or
 * disappears.
 */
export async function loadSurroundings(
  platform: Platform,
  kind: PageKind,
  language: Language,
): Promise<PageEnvironment> {
  const hasBanner = (await findBanner(platform)) !== null
  const versions = `${platform.wording.version(language)} ${languagesVersion(platform)} ${hasBanner}`
  return await platform.cache.read('settings', `surroundings ${kind} ${language} ${versions}`, async () => ({
    language,
    direction: platform.wording.directionOf(language),
    languages: offeredLanguages(platform, language),
    school: await loadSchoolGateway(platform, language),
    messages: messagesLike(platform, language, MESSAGE_PATTERNS[kind]),
    setup: setupIn(await loadLoginPage(platform), language),
  }))
}

/** The same for a page that switches its language in place: including every error it may be showing. */
export async function loadSwitchedSurroundings(
  platform: Platform,
  kind: PageKind,
  language: Language,
): Promise<PageEnvironment> {
  const around = await loadSurroundings(platform, kind, language)
  const refusals = messagesLike(platform, language, REFUSAL_PATTERNS[kind])
  return { ...around, messages: { ...around.messages, ...refusals } }
}

/** The surroundings with the message of the error that a page starts with. */
export function withRefusal(platform: Platform, around: PageEnvironment, page: LightPage): PageEnvironment {
  const code = 'error' in page ? page.error?.code : undefined
  if (!code) return around
  const isOfIt = ([key]: [string, string]) => key === `errors.${code}` || key.startsWith(`errors.${code}_`)
  const refusal = Object.entries(platform.wording.messages(around.language)).filter(isOfIt)
  return { ...around, messages: { ...around.messages, ...Object.fromEntries(refusal) } }
}

/** The surroundings overridden by an unsaved draft; in safe mode the page is laid out as it ships. */
export function withDraft(around: PageEnvironment, draft: PreviewDraft | undefined, isSafe: boolean): PageEnvironment {
  const { language, school } = around
  if (isSafe) return { ...around, setup: setupIn(DEFAULT_LOGIN_PAGE, language), school: { ...school, banner: null } }
  const texts = draft?.texts?.[language]
  const layout = draft?.loginPage
  const banner = draft?.banner
  if (!texts && !layout && banner === undefined) return around
  return {
    ...around,
    ...(banner !== undefined && { school: { ...school, banner: bannerIn(banner, language) } }),
    ...(texts && { messages: { ...around.messages, ...texts } }),
    ...(layout && { setup: setupIn(layout, language) }),
  }
}
