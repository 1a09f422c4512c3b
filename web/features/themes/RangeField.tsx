import { Field } from '../../ui/Field.tsx'

type Props = {
  label: string
  value: number
  most: number
  unit: string
  onChange: (value: number) => void
}

/** A whole number from 0 up, as a slider. */
export function RangeField({ label, value, most, unit, onChange }: Props) {
  return (
    <Field label={label}>
      {(aria) => (
        <span className="range-field">
          <input
            {...aria}
            type="range"
            min={0}
            max={most}
            value={value}
            aria-valuetext={`${value} ${unit}`}
            onChange={(event) => onChange(Number(event.target.value))}
          />
          <output>
            {value} {unit}
          </output>
        </span>
      )}
    </Field>
  )
}
