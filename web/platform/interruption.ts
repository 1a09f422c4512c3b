import { useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'

/**
 * What stands before everything else until the person answers:
 * `refused` the server would not let them in (dialog "Prompt") · `expired` a request could not be made for want of a session ·
 * `idle` they stayed too long · `idle-soon` they are about to · `left` another tab logged out · `ended-for-newer` this
 * login had to make room for another one · `broken` a part of the
 * application could not be loaded · `offline` the same, because nothing answers.
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

/** The first final one stays: what follows it in this tab or another is its echo. */
const FINAL_KINDS = ['refused', 'idle', 'left', 'ended-for-newer', 'expired']

/** A call that misses the session may be faster than the news that another tab logged out, which says why. */
const explainsCurrent = (next: Interruption) =>
  current?.kind === 'expired' && (next.kind === 'left' || next.kind === 'ended-for-newer')

export function interrupt(next: Interruption): void {
  if (current && !explainsCurrent(next) && (current.kind === next.kind || FINAL_KINDS.includes(current.kind))) return
  current = next
  notify()
}

/** Is this what stands before the page now? */
export const isInterruptedBy = (kind: Interruption['kind']): boolean => current?.kind === kind

export function resume(kind: Interruption['kind']): void {
  if (current?.kind !== kind) return
  current = null
  notify()
}

export const useInterruption = (): Interruption | null => useSyncExternalStore(subscribe, () => current)
