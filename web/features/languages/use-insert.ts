import { type RefObject, useRef } from 'react'

/** Inserts text at a field's caret and moves the caret behind it. */
export function useInsert(
  text: string,
  onChange: (text: string) => void,
): { field: RefObject<HTMLTextAreaElement | null>; insert: (part: string) => void } {
  const field = useRef<HTMLTextAreaElement>(null)
  const insert = (part: string) => {
    const { selectionStart: from = text.length, selectionEnd: to = from } = field.current ?? {}
    onChange(text.slice(0, from) + part + text.slice(to))
    // After the field has rendered the new text.
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(from + part.length, from + part.length)
    })
  }
  return { field, insert }
}
