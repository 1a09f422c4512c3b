import type { Config } from '../../platform/config.ts'

export const OIDC_PATH = '/fwk_cas_service/oidc'

/** Who signs: the issuer identifier of OpenID Connect, from the configuration alone. */
export const issuerOf = ({ publicUrl }: Pick<Config, 'publicUrl'>): string => publicUrl + OIDC_PATH
