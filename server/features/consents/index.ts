export { mountConsents } from './consents.routes.ts'
export { saveConsent } from './consents.store.ts'
