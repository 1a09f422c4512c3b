import type { ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import { languageTag } from '#shared/rules/format-message.ts'

/** The page's language for react-aria components; English dates have the day before the month, as everywhere here. */
export function AriaProvider({ children }: { children: ReactNode }) {
  const { i18n } = useTranslation()
  const tag = languageTag(i18n.language as Language)
  return <I18nProvider locale={tag === 'en' ? 'en-GB' : tag}>{children}</I18nProvider>
}
