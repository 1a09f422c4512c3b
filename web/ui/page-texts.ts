import i18next, { type TFunction } from 'i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import type { HomePageSettings } from '#shared/contract/home-page.ts'
import type { LoginPageSettings } from '#shared/contract/login-page.ts'
import type { ThemeWindow } from '#shared/rules/theme-schedule.ts'
import { formatDay } from '../platform/format-time.ts'
import { languageLabel } from './wording-languages.ts'

type Texts = Readonly<Record<string, string>>

const NOTHING = '—'
const listed = (parts: readonly string[]): string => parts.join(' · ') || NOTHING
const textsIn = (texts: Texts): string => listed(Object.values(texts))
const linksIn = (links: LoginPageSettings['links']): string =>
  listed(links.map(({ texts, url }) => `${textsIn(texts)} (${url})`))
const yesOrNo = (t: TFunction, value: boolean): string => t(value ? 'records.yes' : 'records.no')

/** A value of the login page's layout in words. */
export function loginPageText(t: TFunction, field: string, value: unknown): string {
  switch (field as keyof LoginPageSettings) {
    case 'layout':
      return t(`login-page-setup.layout.${value as LoginPageSettings['layout']}`)
    case 'defaultMethod':
      return t(`login-page-setup.default-method.${value as LoginPageSettings['defaultMethod']}`)
    case 'blocks':
    case 'hidden':
      return listed((value as LoginPageSettings['blocks']).map((block) => t(`login-page-setup.block.${block}`)))
    case 'languages':
      return listed((value as Language[]).map((language) => languageLabel(t, language)))
    case 'links':
      return linksIn(value as LoginPageSettings['links'])
    case 'slogan':
    case 'qrFirst':
      return yesOrNo(t, value as boolean)
    default:
      return String(value ?? '') || NOTHING
  }
}

/** A value of the home page's layout in words. */
export function homePageText(t: TFunction, field: string, value: unknown): string {
  switch (field as keyof HomePageSettings) {
    case 'welcome':
      return textsIn(value as Texts)
    case 'searchField':
      return yesOrNo(t, value as boolean)
    case 'blocks':
    case 'hidden':
      return listed((value as HomePageSettings['blocks']).map((block) => t(`home-page-settings.block.${block}`)))
    case 'audiences':
      return listed(
        Object.entries(value as HomePageSettings['audiences']).map(
          ([block, codes]) => `${t(`home-page-settings.block.${block as 'links'}`)}: ${codes.join(', ')}`,
        ),
      )
    case 'carousel':
      return listed((value as HomePageSettings['carousel']).map(({ alternatives }) => textsIn(alternatives)))
    case 'links':
      return linksIn(value as HomePageSettings['links'])
  }
}

/** A period of the schedule in words; a theme that is no more is told by what it was known by. */
export function windowText(t: TFunction, window: ThemeWindow, nameOf: (theme: string) => string | undefined): string {
  const { name, theme, grey, from, until, yearly, priority } = window
  const day = (value: string) => formatDay(value, i18next.language)
  const look = [theme !== null && (nameOf(theme) ?? theme), grey && t('login-topic.window-grey')]
  const details = [
    look.filter(Boolean).join(' + '),
    from === until ? day(from) : `${day(from)} – ${day(until)}`,
    yearly && t('login-topic.window-yearly'),
    priority > 0 && `${t('audit-field.priority')} ${priority}`,
  ]
  return `${name || '…'}: ${details.filter(Boolean).join(', ')}`
}
