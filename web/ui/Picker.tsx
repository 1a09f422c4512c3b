import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Chip, ChipRemove } from './Chip.tsx'
import { Field } from './Field.tsx'
import { useFieldError } from './field-errors.ts'
import { useFixedReason } from './fixed-field.ts'
import { PickerField } from './PickerField.tsx'
import { TextAreaField } from './TextAreaField.tsx'
import { TextField } from './TextField.tsx'
import type { OptionSource, PickerOption } from './use-option-search.ts'
import './picker.css'

export type { PickerOption } from './use-option-search.ts'

type Props<Row> = OptionSource<Row> & {
  label: string
  /** The chosen options: at most one unless `multiple`. */
  value: readonly PickerOption[]
  onChange: (value: PickerOption[]) => void
  multiple?: boolean
  /** Its name in the contract: the server's errors for it are shown here. */
  name?: string
  hint?: string | undefined
  error?: string | undefined
  placeholder?: string
  isOptional?: boolean
}

/**
 * Finds one or several of many by typing: arrows choose, Enter takes. In the empty field Enter submits the form, and
 * Backspace removes the last one. A single choice is in the field itself, several are above it.
 */
export function Picker<Row>(props: Props<Row>) {
  const { label, value, onChange, multiple = false, name, hint, error, isOptional, placeholder } = props
  const { t } = useTranslation()
  const refused = useFieldError(name, value)
  const field = useRef<HTMLInputElement>(null)
  const isFixed = useFixedReason() !== undefined
  /** The remove button disappears with its item. */
  const keep = (rest: PickerOption[]) => {
    onChange(rest)
    field.current?.focus()
  }
  const take = (one: PickerOption) => onChange(multiple ? [...value.filter(({ id }) => id !== one.id), one] : [one])
  if (isFixed) return <Fixed {...{ label, hint, value, multiple }} />
  return (
    <Field label={label} hint={hint} error={error ?? refused} isOptional={isOptional} isRequired={!isOptional} isWide>
      {(aria) => (
        <div className="picker">
          {multiple && <Chosen value={value} onChange={keep} />}
          <PickerField
            field={field}
            label={label}
            aria={aria}
            value={value}
            multiple={multiple}
            placeholder={placeholder ?? t('picker.search')}
            source={props}
            onTake={take}
            onRemoveLast={() => onChange(value.slice(0, -1))}
          />
          {!multiple && value[0] && (
            <ChipRemove label={t('picker.remove', { name: value[0].label })} onRemove={() => keep([])} />
          )}
        </div>
      )}
    </Field>
  )
}

/** Of a list that can't be changed, one for each entry; more are scrolled. */
const MAX_ROWS = 12

/** What is chosen, where it can't be changed. */
function Fixed({ label, hint, value, multiple }: Pick<Props<never>, 'label' | 'hint' | 'value' | 'multiple'>) {
  const { t } = useTranslation()
  const text = {
    ...{ label, hint },
    value: value.map((one) => one.label).join('\n') || t('select.none'),
    isOptional: true,
    onChange: () => undefined,
  }
  const rows = Math.min(Math.max(value.length, 1), MAX_ROWS)
  return multiple ? <TextAreaField {...text} rows={rows} /> : <TextField {...text} isWide />
}

function Chosen({ value, onChange }: { value: readonly PickerOption[]; onChange: (value: PickerOption[]) => void }) {
  const { t } = useTranslation()
  if (value.length === 0) return null
  return (
    <ul className="picker-chosen">
      {value.map((one) => (
        <Chip
          key={one.id}
          removeLabel={t('picker.remove', { name: one.label })}
          onRemove={() => onChange(value.filter(({ id }) => id !== one.id))}
        >
          {one.label}
        </Chip>
      ))}
    </ul>
  )
}
