import type { Config } from '../../platform/config.ts'

export const OIDC_PATH = '/fwk_cas_service/oidc'

/** The issuer identifier of OpenID Connect, from the configuration only. */
export const issuerOf = ({ publicUrl }: Pick<Config, 'publicUrl'>): string => publicUrl + OIDC_PATH
