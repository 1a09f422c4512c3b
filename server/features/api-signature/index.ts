export { forgetReplayMarks } from './api-signature.jobs.ts'
export { acceptOnce, isSignedWith, type SignedText, signedTextOf, verifySignature } from './api-signature.service.ts'
