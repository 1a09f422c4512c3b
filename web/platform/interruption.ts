import { useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'

/**
 * What blocks everything until the person answers: `refused` the server refused the login (dialog "Prompt") · `expired`
 * no session for a request · `idle` logged out after idling · `idle-soon` about to be · `left` another tab logged out ·
 * `ended-for-newer` the login limit ended this login · `broken` a chunk could not be loaded · `offline` the same,
 * because nothing answers.
 */
export type Interruption =
  | { kind: 'refused'; message: string; requestId: string | undefined }
  | { kind: 'expired' }
  | { kind: 'idle' }
  | { kind: 'idle-soon'; endsAt: number }
  | { kind: 'left' }
  | { kind: 'ended-for-newer' }
  | { kind: 'broken' }
  | { kind: 'offline' }

let current: Interruption | null = null
const { subscribe, notify } = createListeners()

/** The first final one stays: later ones, in this tab or another, are consequences. */
const FINAL_KINDS = ['refused', 'idle', 'left', 'ended-for-newer', 'expired']

/** A call without a session may fail before the news of another tab's logout arrives, which explains it. */
const explainsCurrent = (next: Interruption) =>
  current?.kind === 'expired' && (next.kind === 'left' || next.kind === 'ended-for-newer')

export function interrupt(next: Interruption): void {
  if (current && !explainsCurrent(next) && (current.kind === next.kind || FINAL_KINDS.includes(current.kind))) return
  current = next
  notify()
}

/** Is this the current interruption? */
export const isInterruptedBy = (kind: Interruption['kind']): boolean => current?.kind === kind

export function resume(kind: Interruption['kind']): void {
  if (current?.kind !== kind) return
  current = null
  notify()
}

export const useInterruption = (): Interruption | null => useSyncExternalStore(subscribe, () => current)
