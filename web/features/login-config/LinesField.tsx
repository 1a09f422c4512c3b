import { useState } from 'react'
import { TextAreaField } from '../../ui/TextAreaField.tsx'
import type { ControlProps } from './policy-control.ts'

type Kind = 'restTicketAddresses' | 'passwordBlockWords'

/** A single address is a network of one. */
const withPrefix = (line: string): string =>
  line.includes('/') ? line : `${line}/${line.includes(':') ? '128' : '32'}`

const KINDS = {
  restTicketAddresses: { between: /[\s,;]+/, toEntry: withPrefix, placeholder: '192.0.2.0/24' },
  passwordBlockWords: { between: /[\n,;，；、]+/, toEntry: (line: string) => line, placeholder: '' },
} as const satisfies Record<Kind, { between: RegExp; toEntry: (line: string) => string; placeholder: string }>

const toLines = (value: unknown): string => (value as string[]).join('\n')

const toList = (kind: Kind, text: string): string[] => {
  const lines = text.split(KINDS[kind].between).map((line) => line.trim())
  return lines.filter((line) => line !== '').map(KINDS[kind].toEntry)
}

/** A list, one entry per line. */
export function LinesField({ kind, value, onChange, ...control }: ControlProps & { kind: Kind }) {
  const [text, setText] = useState(() => toLines(value))
  // Keep the input as typed, unless the value has changed otherwise.
  const shown = JSON.stringify(toList(kind, text)) === JSON.stringify(value) ? text : toLines(value)
  return (
    <TextAreaField
      {...control}
      isOptional
      rows={2}
      placeholder={KINDS[kind].placeholder}
      value={shown}
      onChange={(typed) => {
        setText(typed)
        onChange(toList(kind, typed))
      }}
    />
  )
}
