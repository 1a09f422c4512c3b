import { type KeyboardEvent, useRef } from 'react'
import { nextOption, optionTyped, type SelectOption } from './select-options.ts'

/** Milliseconds between two letters of one search. */
const TYPING_PAUSE_MS = 1000
const STEPS: Record<string, 1 | -1> = { ArrowLeft: -1, ArrowRight: 1 }
/**
 * Enter and space too: react-aria would take the resulting click for a screen reader's and focus the list, not an
 * option.
 */
const OPENING: Record<string, 'first' | 'last'> = { ArrowDown: 'first', ArrowUp: 'last', Enter: 'first', ' ': 'first' }

type Props = {
  value: string
  options: readonly SelectOption[]
  onChange: (value: string) => void
  onOpen: (from: 'first' | 'last') => void
}

/** Keyboard handling of a closed select: up and down open it, left and right step, letters find. */
export function useClosedSelect({ value, options, onChange, onOpen }: Props) {
  const typed = useRef({ text: '', at: 0 })
  const find = (key: string, now: number): SelectOption | undefined => {
    const text = now - typed.current.at > TYPING_PAUSE_MS ? key : typed.current.text + key
    // Space opens it, unless text is being typed.
    const found = text.startsWith(' ') ? undefined : optionTyped(options, value, text)
    typed.current = { text: found ? text : '', at: now }
    return found
  }
  const chosenBy = (key: string, now: number): SelectOption | undefined => {
    const step = STEPS[key]
    return step ? nextOption(options, value, step) : key.length === 1 ? find(key, now) : undefined
  }
  return (event: KeyboardEvent<HTMLButtonElement>) => {
    if (isShortcut(event)) return
    const next = chosenBy(event.key, event.timeStamp)
    const from = next ? undefined : OPENING[event.key]
    if (!from && !next) return
    event.preventDefault()
    if (from) onOpen(from)
    else if (next && next.value !== value) onChange(next.value)
  }
}

/** Alt with arrows opens it too. */
const isShortcut = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey || (altKey && !(key in OPENING))
