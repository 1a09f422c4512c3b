import { useState } from 'react'
import type { Conflict } from './ConflictNotice.tsx'

/**
 * What a form changes of something that others may change at the same time: what it began with (null: it is new), what is typed, and
 * the way out of a lost update.
 */
export function useEditedDraft<First extends object | null, Draft extends object>(
  first: First,
  draftOf: (loaded: First) => Draft,
) {
  type Loaded = NonNullable<First>
  const [loaded, setLoaded] = useState(first)
  const [draft, setDraft] = useState(() => draftOf(first))
  return {
    loaded,
    draft,
    set: (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change })),
    isDirty: JSON.stringify(draft) !== JSON.stringify(draftOf(loaded)),
    /** For `FormDialog`; with the fields in words. */
    conflictOf: (said: Pick<Conflict<Loaded>, 'labels' | 'show' | 'parts'>): { conflict?: Conflict<Loaded> } => {
      if (loaded === null) return {}
      const onTakeTheirs = (current: Loaded) => {
        setLoaded(current)
        setDraft(draftOf(current))
      }
      return { conflict: { ...said, loaded, onTakeTheirs, onKeepMine: (current) => setLoaded(current) } }
    },
  }
}
