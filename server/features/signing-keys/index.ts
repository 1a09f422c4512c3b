export { issuerOf, OIDC_PATH } from './issuer.rules.ts'
export { MAX_KEY_AGE_DAYS, renewSigningKeys } from './signing-keys.jobs.ts'
export { getSigningKeys, type KeySet, rotateSigningKeys, signJwt } from './signing-keys.service.ts'
