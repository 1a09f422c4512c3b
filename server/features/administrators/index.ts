export { mountAdministrators } from './administrators.routes.ts'
export { deleteMatchedThirdPartyAccounts, revokeIssuedCredentials } from './credential-revocation.store.ts'
