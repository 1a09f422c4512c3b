import type { Language } from '#shared/contract/endpoint.ts'
import { LoginPageSettings, type LoginPageSetup } from '#shared/contract/login-page.ts'
import type { Platform } from '../../platform/platform.ts'
import { readableByKey, readSettings } from '../../platform/settings.ts'

export const DEFAULT_LOGIN_PAGE = LoginPageSettings.parse({})

const Readable = readableByKey(LoginPageSettings)

export const loadLoginPage = (platform: Platform): Promise<LoginPageSettings> =>
  readSettings(platform, 'loginPage', Readable)

const ICP_REGISTER = 'https://beian.miit.gov.cn/'
const PUBLIC_SECURITY_REGISTER = 'https://beian.mps.gov.cn/#/query/webSearch'

export const linksIn = (links: LoginPageSettings['links'], language: Language): { text: string; url: string }[] =>
  links.flatMap(({ texts, url }) => {
    const text = texts[language] ?? texts.zh_CN ?? texts.zh_TW ?? texts.en
    return text === undefined ? [] : [{ text, url }]
  })

/** The parts that a page in one language shows. */
export function setupIn(settings: LoginPageSettings, language: Language): LoginPageSetup {
  const { layout, slogan, languages, blocks, hidden, qrFirst, links, icp, publicSecurity } = settings
  const digits = publicSecurity.match(/\d{6,}/)?.[0]
  return {
    layout,
    slogan,
    languages,
    blocks: blocks.filter((block) => !hidden.includes(block)),
    qrFirst,
    links: linksIn(links, language),
    filings: [
      ...(icp ? [{ text: icp, url: ICP_REGISTER }] : []),
      ...(publicSecurity
        ? [{ text: publicSecurity, url: PUBLIC_SECURITY_REGISTER + (digits ? `?code=${digits}` : '') }]
        : []),
    ],
  }
}
