export { issuerOf, OIDC_PATH } from './issuer.ts'
export { KEY_DAYS, renewSigningKeys } from './signing-keys.jobs.ts'
export { type KeySet, rotateSigningKeys, signingKeys, signJwt } from './signing-keys.service.ts'
