import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../ui/TextField.tsx'
import { type ControlProps, toNumber } from './policy-control.ts'

const MAX_DAYS = 365
const MAX_ENTRIES = 5

const toList = (text: string): (number | string)[] =>
  text
    .split(/[\s,;，；、]+/)
    .filter((part) => part !== '')
    .map(toNumber)

const isDays = (value: unknown): boolean => typeof value === 'number' && value >= 1 && value <= MAX_DAYS

/** Several numbers of days on one line. */
export function DaysField({ value, onChange, ...control }: ControlProps) {
  const { t } = useTranslation()
  const list = value as (number | string)[]
  const [text, setText] = useState(() => list.join(', '))
  // Keep the input as typed, unless the value has changed otherwise.
  const shown = JSON.stringify(toList(text)) === JSON.stringify(list) ? text : list.join(', ')
  const isWrong = list.length > MAX_ENTRIES || !list.every(isDays)
  return (
    <TextField
      {...control}
      isOptional
      value={shown}
      error={isWrong ? t('login-config.days-list', { most: MAX_ENTRIES, max: MAX_DAYS }) : undefined}
      maxLength={60}
      onChange={(typed) => {
        setText(typed)
        onChange(toList(typed))
      }}
    />
  )
}
