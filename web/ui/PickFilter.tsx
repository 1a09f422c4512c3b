import { useId, useRef } from 'react'
import type { Filter } from './list-filter.ts'
import type { ListState } from './list-state.ts'
import { PickerField } from './PickerField.tsx'
import './picker.css'

type Props = {
  filter: Extract<Filter, { kind: 'pick' }>
  state: ListState
  onChange: (change: { filters: Record<string, string | undefined> }) => void
}

/** A filter for one of many, found by typing; its chip removes it. */
export function PickFilter({ filter: { name, label, source, valueName }, state, onChange }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  const value = state.filters[name]
  const set = (next: string | undefined) => onChange({ filters: { [name]: next } })
  return (
    <PickerField
      field={field}
      label={label}
      aria={{ id, 'aria-label': label }}
      value={value ? [{ id: value, label: valueName ?? value }] : []}
      multiple={false}
      placeholder={label}
      source={source}
      onTake={(one) => set(one.id)}
      onRemoveLast={() => set(undefined)}
    />
  )
}
