import { Gateway, type PortalSurroundings, type SchoolGateway } from '#shared/contract/appearance.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import type { LightPage, PageEnvironment } from '#shared/contract/light-page.ts'
import type { PreviewDraft } from '#shared/contract/themes.ts'
import type { Platform } from '../../platform/platform.ts'
import { readableByKey, readSettings } from '../../platform/settings.ts'
import { languagesVersion, offeredLanguages } from '../languages/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { DEFAULT_LOGIN_PAGE, loadLoginPage, setupIn } from './login-page-setup.service.ts'

/** The shipped mark; no institution is without a favicon. */
export const DEFAULT_FAVICON = '/auth_web/favicon.svg'

const ReadableGateway = readableByKey(Gateway)

export const loadGatewaySettings = (platform: Platform): Promise<Gateway> =>
  readSettings(platform, 'gateway', ReadableGateway)

const pickText = (texts: Record<Language, string>, language: Language): string | undefined =>
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
  }
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

/** A kind of page, or the toolbar of accessible reading, which a page fetches when somebody opens it. */
type PageKind = LightPage['kind'] | 'reading'

/** The wording that a kind of page may need, also after a refusal that arrives later. */
const MESSAGE_PATTERNS: Record<PageKind, RegExp> = {
  reading: /^reading\./,
  login:
    /^(login|captcha|code|second-step|room-step)\.|^light\.[\w-]+$|^errors\.(sign-in|captcha|request|service|server)\./,
  'second-factor':
    /^(second-step|room-step)\.|^login\.(gateway|unreachable|opening|to-application)|^light\.[\w-]+$|^errors\.(sign-in|request|service|server)\./,
  room: /^room-step\.|^login\.(gateway|unreachable|opening|to-application|submitting)|^light\.[\w-]+$|^errors\.(sign-in|request|service|server)\./,
  notice: /^notice\.|^light\.[\w-]+$|^errors\./,
  confirm: /^confirm\.|^light\.[\w-]+$/,
  consent: /^consent\.|^light\.[\w-]+$/,
  device: /^device\.|^light\.[\w-]+$|^errors\.device\./,
  post: /^light\./,
  'front-logout': /^light\.|^notice\.(signed-out|to-login)/,
}

function lightMessages({ wording }: Platform, kind: PageKind, language: Language): Record<string, string> {
  const messages = wording.messages(language)
  return Object.fromEntries(Object.entries(messages).filter(([key]) => MESSAGE_PATTERNS[kind].test(key)))
}

/** Everything around a light page that depends on the language; cached until a setting or a text changes. */
export const loadSurroundings = (platform: Platform, kind: PageKind, language: Language): Promise<PageEnvironment> =>
  platform.cache.read(
    'settings',
    `surroundings ${kind} ${language} ${platform.wording.version(language)} ${languagesVersion(platform)}`,
    async () => ({
      language,
      direction: platform.wording.directionOf(language),
      languages: offeredLanguages(platform),
      school: await loadSchoolGateway(platform, language),
      messages: lightMessages(platform, kind, language),
      setup: setupIn(await loadLoginPage(platform), language),
    }),
  )

/** The surroundings with what an unsaved draft puts over them; in safe mode the page is laid out as it ships. */
export function withDraft(around: PageEnvironment, draft: PreviewDraft | undefined, isSafe: boolean): PageEnvironment {
  if (isSafe) return { ...around, setup: setupIn(DEFAULT_LOGIN_PAGE, around.language) }
  const texts = draft?.texts?.[around.language]
  const layout = draft?.loginPage
  if (!texts && !layout) return around
  return {
    ...around,
    ...(texts && { messages: { ...around.messages, ...texts } }),
    ...(layout && { setup: setupIn(layout, around.language) }),
  }
}
