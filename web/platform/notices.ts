import { useSyncExternalStore } from 'react'

export type Notice = { id: number; tone: 'well' | 'danger' | 'plain'; text: string }

/** At least 5 s (U63); an error stays until dismissed. */
const SHOWN_MS = 6000

let notices: readonly Notice[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Notice[]): void {
  notices = next
  for (const listener of listeners) listener()
}

/** Shows a short line that is also read out. Never the only place of an error that has a field. */
export function notify(tone: Notice['tone'], text: string): void {
  const id = ++lastId
  change([...notices.filter((notice) => notice.text !== text).slice(-2), { id, tone, text }])
  if (tone !== 'danger') setTimeout(() => dismissNotice(id), SHOWN_MS)
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
