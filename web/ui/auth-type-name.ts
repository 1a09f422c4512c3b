import { translateOr } from '../platform/i18n.ts'

/** How somebody logged in, in the language of the page. */
export const authTypeName = (authType: string): string => translateOr(`auth-type.${authType}`, 'auth-type.unknown')
