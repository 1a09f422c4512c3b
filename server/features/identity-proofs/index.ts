export { codeMethods } from './identity-proofs.codes.ts'
export { passwordMethod } from './identity-proofs.password.ts'
export { mountIdentityProofs } from './identity-proofs.routes.ts'
export { forgetProof, type ProofMethod, requireFreshProof } from './identity-proofs.service.ts'
