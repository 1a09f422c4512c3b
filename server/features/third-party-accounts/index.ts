export { thirdPartyLoginOptions } from './login-options.service.ts'
export { startFlow, startFramedFlow } from './provider-flow.service.ts'
export { finishTestLogin, readTestedLogin, startTestLogin } from './test-login.service.ts'
export { mountThirdPartyAccounts } from './third-party-accounts.routes.ts'
export { deleteMatchedThirdPartyAccounts, deleteThirdPartyAccounts } from './third-party-accounts.store.ts'
export {
  handleCallback,
  offerBinding,
  offerCreation,
  recordAccountUse,
  redeemLoginProof,
} from './third-party-login.service.ts'
