import { type RefObject, useRef } from 'react'

/** Puts something into a field where its caret stands, and goes on after it. */
export function useInsert(
  text: string,
  onChange: (text: string) => void,
): { field: RefObject<HTMLTextAreaElement | null>; insert: (part: string) => void } {
  const field = useRef<HTMLTextAreaElement>(null)
  const insert = (part: string) => {
    const { selectionStart: from = text.length, selectionEnd: to = from } = field.current ?? {}
    onChange(text.slice(0, from) + part + text.slice(to))
    // Once the field has the new text.
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(from + part.length, from + part.length)
    })
  }
  return { field, insert }
}
