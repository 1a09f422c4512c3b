import { type QueryFilters, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { languageTag } from '#shared/rules/format-message.ts'
import { changeLanguage, currentLanguage } from '../platform/i18n.ts'
import { languagesQuery, queryClient } from '../platform/queries.ts'
import { clearReplyCache } from '../platform/reply-cache.ts'
import { chooseTheme, type ThemeChoice, useIsDark, useThemeChoice } from '../platform/theme.ts'
import { Icon, type IconName } from '../ui/Icon.tsx'
import { MenuButton } from '../ui/MenuButton.tsx'
import type { MenuEntry } from '../ui/menu.types.ts'

const LOCALIZED: QueryFilters = { predicate: ({ queryKey }) => queryKey[0] !== 'languages' }

/** Requests server texts again that are in the former language. */
async function askAgain(former: string): Promise<void> {
  for (const query of queryClient.getQueryCache().findAll({ ...LOCALIZED, fetchStatus: 'fetching' })) {
    // The others are repeated below, or their key names the language.
    if (query.state.data !== undefined || query.queryKey.includes(former)) continue
    // The answer to a first request would still be in the former language. Silently: whoever waits gets the new one.
    void query.cancel({ silent: true })
    query.fetch().catch(() => undefined)
  }
  await queryClient.invalidateQueries(LOCALIZED)
}

/** Each language in its own name. The page stays; server texts in the old language are requested again. */
export function useLanguageEntries(): MenuEntry[] {
  const { data: languages = [] } = useQuery(languagesQuery())
  useTranslation()
  const choose = async (code: (typeof languages)[number]['code']) => {
    const former = currentLanguage()
    if (!(await changeLanguage(code))) return
    clearReplyCache()
    await askAgain(former)
  }
  return languages.map(({ code, name }) => ({
    label: name,
    lang: languageTag(code),
    checked: code === currentLanguage(),
    onSelect: () => void choose(code),
  }))
}

export function LanguageMenu() {
  const { t } = useTranslation()
  const entries = useLanguageEntries()
  const current = entries.find((entry) => 'checked' in entry && entry.checked)
  const name = current && 'label' in current ? current.label : ''
  if (entries.length < 2) return null
  return (
    <MenuButton label={`${t('shell.language')}: ${name}`} entries={entries}>
      <Icon name="globe" />
      <span className="wide-only">{name}</span>
    </MenuButton>
  )
}

const THEMES: { choice: ThemeChoice; icon: IconName }[] = [
  { choice: 'light', icon: 'sun' },
  { choice: 'dark', icon: 'moon' },
  { choice: 'system', icon: 'device' },
]

export function useThemeEntries(): MenuEntry[] {
  const { t } = useTranslation()
  const current = useThemeChoice()
  return THEMES.map(({ choice, icon }) => ({
    label: t(`shell.theme.${choice}`),
    icon,
    checked: choice === current,
    onSelect: () => chooseTheme(choice),
  }))
}

export function ThemeMenu() {
  const { t } = useTranslation()
  const isDark = useIsDark()
  const choice = useThemeChoice()
  return (
    <MenuButton label={`${t('shell.theme')}: ${t(`shell.theme.${choice}`)}`} entries={useThemeEntries()}>
      <Icon name={isDark ? 'moon' : 'sun'} />
    </MenuButton>
  )
}
