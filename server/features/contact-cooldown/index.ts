export { COOLDOWN_DAYS, contactGivenAt, isTrustedContact, listCoolingContacts } from './contact-cooldown.store.ts'
