import type { Language } from '../contract/endpoint.ts'

/** Response header for pages: the language, a space, and the version of its customised texts. */
export const WORDING_HEADER = 'x-wording'

/** Request header: the language of the answer, if the page uses another than its reader chose. */
export const LANGUAGE_HEADER = 'x-language'
/** The version of a language without customised texts. */
export const SHIPPED_WORDING_VERSION = '0'
/** The address of a language's customised texts; immutable. */
export const ownTextsAddress = (language: Language, version: string): string =>
  `/auth_web/wording/${language}-${version}.json`
export type OwnTextsFile = { version: string; messages: Record<string, string> }
