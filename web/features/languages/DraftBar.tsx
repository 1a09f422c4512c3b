import { useState } from 'react'
import { SaveBar } from '../../ui/SaveBar.tsx'
import { UnsavedGuard } from '../../ui/UnsavedGuard.tsx'
import type { TextDrafts } from './text-drafts.ts'

/** Saves or discards all that was typed, once there is more of it than the open field shows, which has verbs of its own. */
export function DraftBar({ drafts: { all, isOpen, saveAll, discard } }: { drafts: TextDrafts }) {
  const [error, setError] = useState<unknown>()
  const isShown = !all.every(isOpen)
  return (
    <>
      <SaveBar
        count={isShown ? all.length : 0}
        onSave={saveAll}
        onDiscard={() => discard(...all)}
        error={error}
        onError={setError}
        isOfPage
      />
      <UnsavedGuard when={!isShown && all.length > 0} isOfPage />
    </>
  )
}
