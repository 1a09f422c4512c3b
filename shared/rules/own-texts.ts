import type { Language } from '../contract/endpoint.ts'

/** Of every answer to a page: the language, a space, and the version of what the institution wrote itself in it. */
export const WORDING_HEADER = 'x-wording'

/** Of a call: the language that it is to be answered in, where the page speaks another than its reader chose. */
export const LANGUAGE_HEADER = 'x-language'
/** The version of a language in which everything is as it ships. */
export const SHIPPED_WORDING_VERSION = '0'
/** What the institution wrote itself in one language; it never changes under its address. */
export const ownTextsAddress = (language: Language, version: string): string =>
  `/auth_web/wording/${language}-${version}.json`
export type OwnTextsFile = { version: string; messages: Record<string, string> }
