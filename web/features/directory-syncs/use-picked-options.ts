import { useState } from 'react'
import type { PickerOption } from '../../ui/Picker.tsx'

/** Options for a picker of ids: each is labelled as loaded or as picked; a deleted one by its id. */
export function usePickedOptions(ids: readonly string[], read: PickerOption[], onChange: (ids: string[]) => void) {
  const [seen, setSeen] = useState(read)
  const labels = new Map([...seen, ...read].map(({ id, label }) => [id, label]))
  return {
    value: ids.map((id) => ({ id, label: labels.get(id) || id })),
    onChange: (next: PickerOption[]) => {
      setSeen([...seen, ...next])
      onChange(next.map(({ id }) => id))
    },
  }
}
