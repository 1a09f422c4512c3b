export { mountLogStreams } from './log-streams.routes.ts'
export { logStreamRestorer } from './log-streams.service.ts'
export { startLogStreams } from './stream-delivery.jobs.ts'
