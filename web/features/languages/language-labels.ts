import type { TFunction } from 'i18next'

const COMPARED = ['name', 'direction', 'fallback', 'position', 'enabled'] as const

/** Labels of a language, for what somebody else changed. */
export const languageLabels = (t: TFunction) =>
  Object.fromEntries(COMPARED.map((field) => [field, t(`language-settings.${field}`)]))
