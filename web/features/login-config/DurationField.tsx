import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '../../ui/Field.tsx'
import { useFieldError } from '../../ui/field-errors.ts'
import { useFixedReason } from '../../ui/fixed-field.ts'
import { Select } from '../../ui/Select.tsx'
import { type ControlProps, toNumber, useBoundsError } from './policy-control.ts'
import { UNIT_NAMES, UNITS, type Unit, unitOf } from './policy-values.ts'

/** A duration stored in seconds and edited in a suitable unit. */
export function DurationField({ label, hint, name, value, onChange }: ControlProps) {
  const { t } = useTranslation()
  const isFixed = useFixedReason() !== undefined
  const refused = useFieldError(name, value)
  const [unit, setUnit] = useState<Unit>(() => unitOf(Number(value)))
  const isWhole = typeof value === 'number' && value % UNITS[unit] === 0
  const shownUnit = isWhole || typeof value === 'string' ? unit : unitOf(Number(value))
  const wrong = useBoundsError(name, value, UNITS[shownUnit])
  const type = (text: string) => {
    const number = toNumber(text)
    onChange(typeof number === 'number' ? number * UNITS[shownUnit] : number)
  }
  const turn = (next: string) => {
    setUnit(next as Unit)
    if (typeof value === 'number') onChange((value / UNITS[shownUnit]) * UNITS[next as Unit])
  }
  return (
    <Field label={label} hint={hint} error={wrong ?? refused} isRequired>
      {(aria) => (
        <span className="duration">
          <input
            {...aria}
            className="input"
            type="text"
            inputMode="numeric"
            autoComplete="off"
            maxLength={12}
            readOnly={isFixed}
            value={typeof value === 'number' ? value / UNITS[shownUnit] : String(value)}
            onChange={({ target }) => type(target.value)}
          />
          <Select
            label={t('login-config.unit')}
            value={shownUnit}
            options={UNIT_NAMES.map((one) => ({ value: one, label: t(`login-config.unit.${one}`) }))}
            onChange={turn}
          />
        </span>
      )}
    </Field>
  )
}
