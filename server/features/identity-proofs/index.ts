export { mountIdentityProofs } from './identity-proofs.routes.ts'
export { invalidateProof, type ProofMethod, requireFreshProof } from './identity-proofs.service.ts'
export { codeProofMethods } from './proof-by-code.service.ts'
export { passwordProofMethod } from './proof-by-password.service.ts'
