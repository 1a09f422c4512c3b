import i18next from 'i18next'
import { useSyncExternalStore } from 'react'
import {
  type OfferedMethod,
  queryReauthentication,
  type ReauthenticationMethod,
} from '#shared/contract/reauthentication.ts'
import { call } from './api.ts'
import { createListeners } from './listeners.ts'
import { untilAnswered } from './load-chunk.ts'
import { isRefusal, Refusal } from './refusal.ts'

/** What the reauthentication dialog needs, and the callback for its outcome. */
export type ReauthenticationRequest = { methods: readonly OfferedMethod[]; settle: (reauthenticated: boolean) => void }

let currentRequest: ReauthenticationRequest | null = null
let pendingReauthentication: Promise<boolean> | null = null
const { subscribe, notify } = createListeners()

function setRequest(next: ReauthenticationRequest | null): void {
  currentRequest = next
  notify()
}

/** One dialog answers several calls that need reauthentication at once. */
function requestReauthentication(methods: readonly OfferedMethod[]): Promise<boolean> {
  pendingReauthentication ??= new Promise<boolean>((resolve) => {
    const own: ReauthenticationRequest = {
      methods,
      settle: (reauthenticated) => {
        // A late answer of a closed dialog must not close the next one.
        if (currentRequest !== own) return
        pendingReauthentication = null
        setRequest(null)
        resolve(reauthenticated)
      },
    }
    setRequest(own)
  })
  return pendingReauthentication
}

/**
 * Reauthenticates, if needed, before a dialog about something sensitive opens: asking at its end would waste the input.
 * @param signal aborted when the page that asks goes away
 * @param without methods that would not suffice.
 * @returns false when the person declined.
 */
export async function ensureReauthentication(
  signal?: AbortSignal,
  without: readonly ReauthenticationMethod[] = [],
): Promise<boolean> {
  const { freshUntil, methods } = await untilAnswered(() => call(queryReauthentication), signal)
  return (
    freshUntil !== null || (await requestReauthentication(methods.filter(({ method }) => !without.includes(method))))
  )
}

/** The methods that a refusal names as insufficient, or null when it does not ask for reauthentication. */
function insufficientMethods(error: unknown): readonly ReauthenticationMethod[] | null {
  if (isRefusal(error, 'reauthentication.required')) return []
  if (!isRefusal(error, 'second-factor.other-method-needed')) return null
  return (error.data as { without?: ReauthenticationMethod[] } | null)?.without ?? []
}

/**
 * Makes a call that may require reauthentication: asks for it and repeats the call. Restores the focus.
 * @param signal aborted when the page that asks goes away
 * @throws Refusal `reauthentication.declined` when the person declined, else what the call throws.
 */
export async function withReauthentication<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const without = insufficientMethods(error)
    if (!without) throw error
    if (!(await ensureReauthentication(signal, without))) {
      throw new Refusal(0, 'reauthentication.declined', i18next.t('reauthentication.declined'))
    }
    return await work()
  }
}

/** For the dialog. */
export const useReauthenticationRequest = (): ReauthenticationRequest | null =>
  useSyncExternalStore(subscribe, () => currentRequest)
