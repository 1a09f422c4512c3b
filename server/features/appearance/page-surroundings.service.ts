import { Gateway, type SchoolGateway } from '#shared/contract/appearance.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import type { LightPage, PageEnvironment } from '#shared/contract/light-page.ts'
import type { Platform } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'
import { shippedMessages } from '../../platform/translate.ts'

/** The shipped mark; no institution is without a favicon. */
export const DEFAULT_FAVICON = '/auth_web/favicon.svg'

export const loadGatewaySettings = (platform: Platform): Promise<Gateway> => readSettings(platform, 'gateway', Gateway)

const pickText = (texts: Partial<Record<Language, string>>, language: Language): string | undefined =>
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

/** A kind of page, or the toolbar of accessible reading, which a page fetches when somebody opens it. */
type PageKind = LightPage['kind'] | 'reading'

/** The wording that a kind of page may need, also after a refusal that arrives later. */
const MESSAGE_PATTERNS: Record<PageKind, RegExp> = {
  reading: /^reading\./,
  login: /^(login|captcha|code|second-step)\.|^light\.[\w-]+$|^errors\.(sign-in|captcha|request|service|server)\./,
  'second-factor':
    /^second-step\.|^login\.(gateway|unreachable|opening|to-application)|^light\.[\w-]+$|^errors\.(sign-in|request|service|server)\./,
  notice: /^notice\.|^light\.[\w-]+$|^errors\./,
  confirm: /^confirm\.|^light\.[\w-]+$/,
  consent: /^consent\.|^light\.[\w-]+$/,
  device: /^device\.|^light\.[\w-]+$|^errors\.device\./,
  post: /^light\./,
  'front-logout': /^light\.|^notice\.(signed-out|to-login)/,
}

function lightMessages(kind: PageKind, language: Language): Record<string, string> {
  const messages = shippedMessages(language)
  return Object.fromEntries(Object.entries(messages).filter(([key]) => MESSAGE_PATTERNS[kind].test(key)))
}

/** Everything around a light page that depends on the language; cached until a setting changes. */
export const loadSurroundings = (platform: Platform, kind: PageKind, language: Language): Promise<PageEnvironment> =>
  platform.cache.read('settings', `surroundings ${kind} ${language}`, async () => ({
    language,
    school: await loadSchoolGateway(platform, language),
    messages: lightMessages(kind, language),
  }))
