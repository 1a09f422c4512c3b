import { translateOr } from '../platform/i18n.ts'

/** The name of a login method. */
export const authTypeName = (authType: string): string => translateOr(`auth-type.${authType}`, 'auth-type.unknown')
