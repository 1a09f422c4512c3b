export { beginFlow } from './third-party-accounts.flow.ts'
export { arrivalOf, comeBack, noteUse, offerBinding } from './third-party-accounts.login.ts'
export { mountThirdPartyAccounts } from './third-party-accounts.routes.ts'
export { thirdPartyWayIn } from './way-in.ts'
