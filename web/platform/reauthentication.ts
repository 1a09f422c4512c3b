import i18next from 'i18next'
import { useSyncExternalStore } from 'react'
import { type OfferedProof, type ProofMethodName, queryIdentityProof } from '#shared/contract/identity-proofs.ts'
import { call } from './api.ts'
import { createListeners } from './listeners.ts'
import { untilAnswered } from './load-chunk.ts'
import { isRefusal, Refusal } from './refusal.ts'

/** What the reauthentication dialog needs, and the callback for its outcome. */
export type ProofRequest = { methods: readonly OfferedProof[]; settle: (proved: boolean) => void }

let currentRequest: ProofRequest | null = null
let pendingProof: Promise<boolean> | null = null
const { subscribe, notify } = createListeners()

function setRequest(next: ProofRequest | null): void {
  currentRequest = next
  notify()
}

/** One dialog answers several calls that need reauthentication at once. */
function requestProof(methods: readonly OfferedProof[]): Promise<boolean> {
  pendingProof ??= new Promise<boolean>((resolve) => {
    const own: ProofRequest = {
      methods,
      settle: (proved) => {
        // A late answer of a closed dialog must not close the next one.
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
 * Reauthenticates, if needed, before a dialog about something sensitive opens: asking at its end would waste the input.
 * @param signal aborted when the page that asks goes away
 * @param without methods that would not suffice.
 * @returns false when the person declined.
 */
export async function ensureReauthentication(
  signal?: AbortSignal,
  without: readonly ProofMethodName[] = [],
): Promise<boolean> {
  const { freshUntil, methods } = await untilAnswered(() => call(queryIdentityProof), signal)
  return freshUntil !== null || (await requestProof(methods.filter(({ method }) => !without.includes(method))))
}

/** The methods that a refusal names as insufficient, or null when it does not ask for reauthentication. */
function insufficientProofs(error: unknown): readonly ProofMethodName[] | null {
  if (isRefusal(error, 'identity-proof.required')) return []
  if (!isRefusal(error, 'second-factor.other-proof-needed')) return null
  return (error.data as { without?: ProofMethodName[] } | null)?.without ?? []
}

/**
 * Makes a call that may require reauthentication: asks for it and repeats the call. Restores the focus.
 * @param signal aborted when the page that asks goes away
 * @throws Refusal `identity-proof.declined` when the person declined, else what the call throws.
 */
export async function withReauthentication<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const without = insufficientProofs(error)
    if (!without) throw error
    if (!(await ensureReauthentication(signal, without))) {
      throw new Refusal(0, 'identity-proof.declined', i18next.t('identity-proof.declined'))
    }
    return await work()
  }
}

/** For the dialog. */
export const useProofRequest = (): ProofRequest | null => useSyncExternalStore(subscribe, () => currentRequest)
