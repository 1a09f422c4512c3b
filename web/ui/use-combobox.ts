import { type KeyboardEvent, useId, useState } from 'react'

type Input = {
  /** The number of options. */
  count: number
  isOpen: boolean
  /** Suggestions without typed text: no option is active until a key selects one, and Enter submits the form. */
  isUnasked?: boolean
  onOpen: (isOpen: boolean) => void
  onTake: (at: number) => void
}

/** Keyboard handling of a field with options below it: the focus stays in the field, which names the active option. */
export function useCombobox({ count, isOpen, isUnasked = false, onOpen, onTake }: Input) {
  const listId = useId()
  /** Null: no option was selected by key since the list opened or the text changed. */
  const [wanted, setAt] = useState<number | null>(null)
  if (!isOpen && wanted !== null) setAt(null)
  const at = Math.min(wanted ?? (isUnasked ? -1 : 0), Math.max(0, count - 1))
  const idOf = (index: number) => `${listId}-${index}`
  const move = (step: number) => {
    onOpen(true)
    const from = at < 0 && step < 0 ? 0 : at
    setAt(isOpen && count > 0 ? (from + step + count) % count : 0)
  }
  const actOf = (key: string): (() => void) | null => {
    if (key === 'ArrowDown') return () => move(1)
    if (key === 'ArrowUp') return () => move(-1)
    if (key === 'Enter' && isOpen && at >= 0) return () => count > 0 && onTake(at)
    // Closes only the list, not the surrounding dialog.
    return key === 'Escape' && isOpen ? () => onOpen(false) : null
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // Ignore Enter that ends an IME composition.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    const act = actOf(event.key)
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  const hasActive = isOpen && count > 0 && at >= 0
  return {
    at,
    idOf,
    listId,
    first: () => setAt(null),
    field: {
      role: 'combobox',
      autoComplete: 'off',
      'aria-expanded': isOpen,
      'aria-controls': isOpen ? listId : undefined,
      'aria-autocomplete': 'list',
      'aria-activedescendant': hasActive ? idOf(at) : undefined,
      onKeyDown,
    },
  } as const
}
