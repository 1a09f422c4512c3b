import i18next from 'i18next'
import { useSyncExternalStore } from 'react'
import { type OfferedProof, type ProofMethodName, queryIdentityProof } from '#shared/contract/identity-proofs.ts'
import { call } from './api.ts'
import { createListeners } from './listeners.ts'
import { isRefusal, Refusal } from './refusal.ts'

/** What the dialog that proves an identity has to know, and whom to tell how it ended. */
export type ProofRequest = { methods: readonly OfferedProof[]; settle: (proved: boolean) => void }

let currentRequest: ProofRequest | null = null
let pendingProof: Promise<boolean> | null = null
const { subscribe, notify } = createListeners()

function setRequest(next: ProofRequest | null): void {
  currentRequest = next
  notify()
}

/** Of several calls that need a proof at once, one dialog answers all. */
function requestProof(methods: readonly OfferedProof[]): Promise<boolean> {
  pendingProof ??= new Promise<boolean>((resolve) => {
    const own: ProofRequest = {
      methods,
      settle: (proved) => {
        // An answer that comes after the dialog was closed must not close the next one.
        if (currentRequest !== own) return
        pendingProof = null
        setRequest(null)
        resolve(proved)
      },
    }
    setRequest(own)
  })
  return pendingProof
}

/**
 * Makes sure that the person has proved lately who they are, before a dialog about something sensitive opens: who is asked only at
 * its end has typed for nothing.
 * @param without ways that would not suffice.
 * @returns false when they would not.
 */
export async function ensureFreshProof(without: readonly ProofMethodName[] = []): Promise<boolean> {
  const { freshUntil, methods } = await call(queryIdentityProof)
  return freshUntil !== null || (await requestProof(methods.filter(({ method }) => !without.includes(method))))
}

/** The ways that a refusal names as too little, or null when it asks for no proof. */
function insufficientProofs(error: unknown): readonly ProofMethodName[] | null {
  if (isRefusal(error, 'identity-proof.required')) return []
  if (!isRefusal(error, 'second-factor.other-proof-needed')) return null
  return (error.data as { without?: ProofMethodName[] } | null)?.without ?? []
}

/**
 * Makes a call that may demand a fresh proof of identity: asks for it and makes the call again. The focus comes back to where it was.
 * @throws Refusal `identity-proof.declined` when the person would not, else what the call throws.
 */
export async function withFreshProof<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const without = insufficientProofs(error)
    if (!without) throw error
    if (!(await ensureFreshProof(without))) {
      throw new Refusal(0, 'identity-proof.declined', i18next.t('identity-proof.declined'))
    }
    return await work()
  }
}

/** For the one dialog. */
export const useProofRequest = (): ProofRequest | null => useSyncExternalStore(subscribe, () => currentRequest)
