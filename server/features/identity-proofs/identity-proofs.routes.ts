import {
  beginIdentityProof,
  PROOF_METHODS,
  proveIdentity,
  queryIdentityProof,
} from '#shared/contract/identity-proofs.ts'
import type { Api } from '../../platform/http/mount.ts'
import { begin, type ProofMethod, prove, standing } from './identity-proofs.service.ts'

/** @param methods every way that exists, each of its own feature. */
export function mountIdentityProofs(api: Api, methods: readonly ProofMethod[]): void {
  const rank = ({ name }: ProofMethod) => PROOF_METHODS.indexOf(name)
  const known = [...methods].sort((a, b) => rank(a) - rank(b))
  api.mount(queryIdentityProof, (ctx) => standing(ctx, known))
  api.mount(beginIdentityProof, (ctx, { body }) => begin(ctx, known, body.method))
  api.mount(proveIdentity, (ctx, { body }) => prove(ctx, known, { name: body.method, answer: body.answer }))
}
