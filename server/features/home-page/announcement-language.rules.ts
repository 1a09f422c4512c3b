import type { Language } from '#shared/contract/endpoint.ts'

/** The language in which a person reads an announcement: their own, else one in which it has a title. */
export const titleLanguage = (titles: Record<Language, string>, language: Language): Language =>
  [language, 'zh_CN', 'zh_TW', 'en', ...Object.keys(titles)].find((one) => Object.hasOwn(titles, one)) ?? language
