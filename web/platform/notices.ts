import { useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'

/** An action such as undo. */
type NoticeAction = { label: string; run: () => void }

export type Notice = { id: number; tone: 'well' | 'danger' | 'caution' | 'plain'; text: string; action?: NoticeAction }

/** At least 5 s (U63), longer with an action; an error stays until dismissed. */
const NOTICE_MS = 6000
const NOTICE_WITH_ACTION_MS = 20_000

let notices: readonly Notice[] = []
let lastId = 0
const listeners = createListeners()

function setNotices(next: readonly Notice[]): void {
  notices = next
  listeners.notify()
}

/**
 * Shows a short notice, which is also announced. Never the only place of an error that belongs to a field. @returns the
 * id to dismiss it.
 */
export function notify(tone: Notice['tone'], text: string, action?: NoticeAction): number {
  const id = ++lastId
  const notice = { id, tone, text, ...(action && { action }) }
  setNotices([...notices.filter((other) => other.text !== text).slice(-2), notice])
  if (tone !== 'danger') setTimeout(() => dismissNotice(id), action ? NOTICE_WITH_ACTION_MS : NOTICE_MS)
  return id
}

export const dismissNotice = (id: number): void => setNotices(notices.filter((notice) => notice.id !== id))

export const useNotices = (): readonly Notice[] => useSyncExternalStore(listeners.subscribe, () => notices)
