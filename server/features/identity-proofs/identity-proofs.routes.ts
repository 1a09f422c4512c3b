import {
  beginIdentityProof,
  PROOF_METHODS,
  proveIdentity,
  queryIdentityProof,
} from '#shared/contract/identity-proofs.ts'
import type { Api } from '../../platform/http/mount.ts'
import { beginProof, getProofStatus, type ProofMethod, submitProof } from './identity-proofs.service.ts'

/** @param methods every method that exists, each from its own feature */
export function mountIdentityProofs(api: Api, methods: readonly ProofMethod[]): void {
  const rank = ({ name }: ProofMethod) => PROOF_METHODS.indexOf(name)
  const known = [...methods].sort((a, b) => rank(a) - rank(b))
  api.mount(queryIdentityProof, (ctx) => getProofStatus(ctx, known))
  api.mount(beginIdentityProof, (ctx, { body }) => beginProof(ctx, known, body.method))
  api.mount(proveIdentity, (ctx, { body }) => submitProof(ctx, known, { name: body.method, answer: body.answer }))
}
