export { COOLDOWN_DAYS, contactGivenAt, isTrustedContact } from './contact-cooldown.store.ts'
