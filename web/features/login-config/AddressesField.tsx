import { useState } from 'react'
import { TextAreaField } from '../../ui/TextAreaField.tsx'
import type { ControlProps } from './policy-control.ts'

const toLines = (value: unknown): string => (value as string[]).join('\n')
const toList = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .filter((line) => line !== '')
    .map(withPrefix)

/** A single address is a network of one. */
const withPrefix = (line: string): string =>
  line.includes('/') ? line : `${line}/${line.includes(':') ? '128' : '32'}`

/** Addresses and networks, one a line. */
export function AddressesField({ value, disabled, onChange, ...control }: ControlProps) {
  const [text, setText] = useState(() => toLines(value))
  // What was typed stays as it was typed, unless the value is another one by now.
  const shown = JSON.stringify(toList(text)) === JSON.stringify(value) ? text : toLines(value)
  return (
    <TextAreaField
      {...control}
      isOptional
      disabled={disabled}
      rows={2}
      placeholder="192.0.2.0/24"
      value={shown}
      onChange={(typed) => {
        setText(typed)
        onChange(toList(typed))
      }}
    />
  )
}
