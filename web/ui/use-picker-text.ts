import { type ChangeEvent, type FocusEvent, type MouseEvent, useRef, useState } from 'react'
import type { PickerOption } from './use-option-search.ts'

type Input = { value: readonly PickerOption[]; multiple: boolean; onRemoveLast: () => void }

/**
 * The text of a picker's field, and whether its list is open. A single-value picker shows its value until something
 * else is typed.
 */
export function usePickerText({ value, multiple, onRemoveLast }: Input) {
  /** Null: nothing is being typed. */
  const [typed, setTyped] = useState<string | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const composing = useRef(false)
  const chosen = multiple ? undefined : value[0]
  const setOpen = (wanted: boolean) => {
    setIsOpen(wanted)
    if (!wanted && !multiple) setTyped(null)
  }
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    setTyped(target.value)
    if (chosen && target.value === '') onRemoveLast()
    if (!composing.current) setOpen(true)
  }
  const closeAfterwards = ({ currentTarget }: FocusEvent) => {
    // After the click that took the focus: where the list is in the flow, a shift would make the click miss.
    const close = () =>
      setTimeout(() => {
        if (document.activeElement !== currentTarget) setOpen(false)
      })
    for (const type of ['pointerup', 'keyup']) addEventListener(type, close, { once: true })
  }
  return {
    shown: typed ?? chosen?.label ?? '',
    search: typed ?? '',
    isOpen,
    setOpen,
    forget: () => setTyped(null),
    field: {
      onChange,
      onClick: ({ currentTarget }: MouseEvent<HTMLInputElement>) => {
        if (chosen && !isOpen) currentTarget.select()
        setOpen(true)
      },
      onCompositionStart: () => {
        composing.current = true
        setIsOpen(false)
      },
      onCompositionEnd: () => {
        composing.current = false
        setOpen(true)
      },
      onBlur: closeAfterwards,
    },
  }
}
