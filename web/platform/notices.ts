import { useSyncExternalStore } from 'react'

/** A way back, such as undo. */
type NoticeAction = { label: string; run: () => void }

export type Notice = { id: number; tone: 'well' | 'danger' | 'plain'; text: string; action?: NoticeAction }

/** At least 5 s (U63), longer when something can be done; an error stays until dismissed. */
const SHOWN_MS = 6000
const ACTION_MS = 20_000

let notices: readonly Notice[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Notice[]): void {
  notices = next
  for (const listener of listeners) listener()
}

/** Shows a short line that is also read out. Never the only place of an error that has a field. */
export function notify(tone: Notice['tone'], text: string, action?: NoticeAction): void {
  const id = ++lastId
  const notice = { id, tone, text, ...(action && { action }) }
  change([...notices.filter((other) => other.text !== text).slice(-2), notice])
  if (tone !== 'danger') setTimeout(() => dismissNotice(id), action ? ACTION_MS : SHOWN_MS)
}

export const dismissNotice = (id: number): void => change(notices.filter((notice) => notice.id !== id))

export const useNotices = (): readonly Notice[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => notices,
  )
