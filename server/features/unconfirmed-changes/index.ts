export { goBackWhenDue, purgeUnconfirmedChanges, watchUnconfirmedChanges } from './going-back.service.ts'
export { mountUnconfirmedChanges } from './unconfirmed-changes.routes.ts'
export { awaitConfirmation } from './unconfirmed-changes.service.ts'
