import { type RefObject, useEffect, useRef } from 'react'

/**
 * Moving a row in the DOM takes the focus away from its button: it is given back to the button that was pressed, found by `data-step`.
 * @param order changes when rows have moved.
 */
export function useKeptFocus<Rows extends HTMLElement>(order: string) {
  const list: RefObject<Rows | null> = useRef(null)
  const pressed = useRef<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the order is another one.
  useEffect(() => {
    const step = pressed.current
    pressed.current = null
    // Whoever has moved on meanwhile stays there.
    if (step === null || document.activeElement !== document.body) return
    list.current?.querySelector<HTMLElement>(`[data-step="${step}"]`)?.focus()
  }, [order])
  return {
    list,
    notePress: (step: string | null) => {
      pressed.current = step
    },
  }
}
