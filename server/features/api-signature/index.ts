export { forgetReplayMarks } from './api-signature.jobs.ts'
export { verifySignature } from './api-signature.service.ts'
