export { bookSyncTask, forgetBookRows, startDueBooks } from './address-books.jobs.ts'
export { mountAddressBooks } from './address-books.routes.ts'
export { bookSyncRestorer } from './address-books.service.ts'
