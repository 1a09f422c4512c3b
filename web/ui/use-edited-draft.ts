import { useState } from 'react'
import type { Conflict } from './ConflictNotice.tsx'

/** The draft of a form for an object that others may edit: initial state (null: new), input, and conflict handling. */
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
    /** For `FormDialog`, with labels. */
    conflictOf: (
      texts: Pick<Conflict<Loaded>, 'labels' | 'mine' | 'show' | 'parts'>,
    ): { conflict?: Conflict<Loaded> } => {
      if (loaded === null) return {}
      const onTakeTheirs = (current: Loaded) => {
        setLoaded(current)
        setDraft(draftOf(current))
      }
      return { conflict: { ...texts, loaded, onTakeTheirs, onKeepMine: (current) => setLoaded(current) } }
    },
  }
}
