import { z } from 'zod'
import type { Language } from '#shared/contract/endpoint.ts'
import { LoginPageSettings, type LoginPageSetup } from '#shared/contract/login-page.ts'
import type { Platform } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'

export const DEFAULT_LOGIN_PAGE = LoginPageSettings.parse({})

/** What of a stored document can't be read is as shipped, key by key: a login page there is always. */
const Readable = z.object(
  Object.fromEntries(
    Object.entries(LoginPageSettings.shape).map(([key, part]) => [
      key,
      (part as z.ZodType).catch(DEFAULT_LOGIN_PAGE[key as keyof LoginPageSettings]),
    ]),
  ),
) as unknown as z.ZodType<LoginPageSettings>

export const loadLoginPage = (platform: Platform): Promise<LoginPageSettings> =>
  readSettings(platform, 'loginPage', Readable.catch(DEFAULT_LOGIN_PAGE))

const ICP_REGISTER = 'https://beian.miit.gov.cn/'
const PUBLIC_SECURITY_REGISTER = 'https://beian.mps.gov.cn/#/query/webSearch'

/** What a page in one language shows of it. */
export function setupIn(settings: LoginPageSettings, language: Language): LoginPageSetup {
  const { layout, slogan, languages, links, icp, publicSecurity } = settings
  const digits = publicSecurity.match(/\d{6,}/)?.[0]
  return {
    layout,
    slogan,
    languages,
    links: links.flatMap(({ texts, url }) => {
      const text = texts[language] ?? texts.zh_CN ?? texts.zh_TW ?? texts.en
      return text === undefined ? [] : [{ text, url }]
    }),
    filings: [
      ...(icp ? [{ text: icp, url: ICP_REGISTER }] : []),
      ...(publicSecurity
        ? [{ text: publicSecurity, url: PUBLIC_SECURITY_REGISTER + (digits ? `?code=${digits}` : '') }]
        : []),
    ],
  }
}
