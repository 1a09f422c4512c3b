export { deleteExpiredReplayMarks } from './api-signature.jobs.ts'
export {
  isSignedWith,
  parseSignedText,
  rejectReplay,
  type SignedText,
  verifySignature,
} from './api-signature.service.ts'
