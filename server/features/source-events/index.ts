export { mountSourceEvents } from './source-events.routes.ts'
export { forgetEvents } from './source-events.service.ts'
export { findEcho } from './source-events.store.ts'
