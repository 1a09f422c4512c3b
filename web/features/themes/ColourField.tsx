import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '../../ui/Field.tsx'

type Props = { label: string; hint?: string; value: string; onChange: (colour: string) => void }

const COLOUR = /^#[\da-f]{6}$/

/** Accepts `#rgb`, capitals and a missing `#`. @returns null for an invalid colour. */
export function readColour(text: string): string | null {
  const hex = text.trim().toLowerCase().replace(/^#/, '')
  const full = hex.length === 3 ? [...hex].map((sign) => sign + sign).join('') : hex
  return COLOUR.test(`#${full}`) ? `#${full}` : null
}

/** A colour, chosen in a picker or typed. */
export function ColourField({ label, hint, value, onChange }: Props) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  const isWrong = readColour(typed) === null
  const type = (text: string) => {
    setTyped(text)
    const colour = readColour(text)
    if (colour) onChange(colour)
  }
  return (
    <Field label={label} hint={hint} error={isWrong ? t('login-topic.bad-colour') : undefined} isGroup>
      {(aria) => (
        <span className="colour-field">
          <input
            type="color"
            aria-label={t('login-topic.pick', { name: label })}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <input
            {...aria}
            type="text"
            className="input"
            value={typed}
            maxLength={9}
            spellCheck={false}
            onChange={(event) => type(event.target.value)}
            onBlur={() => setTyped(value)}
          />
        </span>
      )}
    </Field>
  )
}
