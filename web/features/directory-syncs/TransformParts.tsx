import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DATE_FORMATS, type Transform } from '#shared/contract/sync-mappings.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { type PartKind, TRANSFORM_PARTS } from './transform-forms.ts'

type Props = { step: Transform; columns: readonly string[]; onChange: (step: Transform) => void }
type PartProps = { kind: PartKind; label: string; value: unknown; columns: readonly string[] }
type Setter = { onChange: (value: unknown) => void }

/** The parameters of a step. */
export function TransformParts({ step, columns, onChange }: Props) {
  const { t } = useTranslation()
  const values = step as unknown as Record<string, unknown>
  return TRANSFORM_PARTS[step.kind].map(({ name, kind, label }) => (
    <Part
      key={name}
      kind={kind}
      label={t(label)}
      value={values[name]}
      columns={columns}
      onChange={(value) => onChange({ ...values, [name]: value } as unknown as Transform)}
    />
  ))
}

function Part({ kind, label, value, columns, onChange }: PartProps & Setter) {
  const { t } = useTranslation()
  switch (kind) {
    case 'columns':
      return <Columns label={label} value={value as string[]} columns={columns} onChange={onChange} />
    case 'rows':
      return <Rows label={label} value={value as Row[]} onChange={onChange} />
    case 'column':
      return <SelectField label={label} value={value as string} options={options(columns)} onChange={onChange} />
    case 'date':
      return <SelectField label={label} value={value as string} options={options(DATE_FORMATS)} onChange={onChange} />
    case 'side':
      return <SelectField label={label} value={value as Side} options={SIDES.map(toSide(t))} onChange={onChange} />
    case 'number':
    case 'optional-number':
      return <NumberPart label={label} value={value as number | null} kind={kind} onChange={onChange} />
    default:
      return (
        <TextField
          label={label}
          value={String(value ?? '')}
          isOptional={kind === 'optional-text'}
          onChange={(text) => onChange(text === '' && kind === 'optional-text' ? null : text)}
        />
      )
  }
}

type NumberProps = Setter & { label: string; value: number | null; kind: PartKind }

/** A whole number, possibly negative; the text is kept while it isn't one yet. */
function NumberPart({ label, value, kind, onChange }: NumberProps) {
  const [text, setText] = useState(String(value ?? ''))
  const change = (typed: string) => {
    const digits = typed.replace(/(?!^-)\D/g, '').slice(0, 5)
    setText(digits)
    onChange(digits === '' && kind === 'optional-number' ? null : Number.parseInt(digits, 10) || 0)
  }
  return (
    <TextField
      label={label}
      value={text}
      isOptional={kind === 'optional-number'}
      inputMode="numeric"
      onChange={change}
    />
  )
}

const options = (names: readonly string[]) => names.map((name) => ({ value: name, label: name }))

const SIDES = ['start', 'end'] as const
type Side = (typeof SIDES)[number]
const toSide = (t: TFunction) => (side: Side) => ({ value: side, label: t(`sync-transform.side.${side}`) })

type ColumnsProps = Setter & { label: string; value: readonly string[]; columns: readonly string[] }

/** Columns in their order, with an empty field to add one. */
function Columns({ label, value, columns, onChange }: ColumnsProps) {
  const { t } = useTranslation()
  return [...value, ''].slice(0, 10).map((chosen, at) => (
    <SelectField
      // biome-ignore lint/suspicious/noArrayIndexKey: a column may occur twice.
      key={at}
      label={t('sync-transform.nth', { what: label, at: at + 1 })}
      value={chosen}
      none={t('directory-sync.mapping-none')}
      options={columns.map((name) => ({ value: name, label: name }))}
      onChange={(name) => onChange(name ? value.toSpliced(at, 1, name) : value.toSpliced(at, 1))}
    />
  ))
}

type Row = { from: string; to: string }

function Rows({ label, value, onChange }: Setter & { label: string; value: readonly Row[] }) {
  const { t } = useTranslation()
  const put = (at: number, row: Row) => onChange(value.toSpliced(at, 1, row))
  return (
    <fieldset className="sync-fieldset sync-words">
      <legend>{label}</legend>
      {value.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by position while they are edited.
        <div key={at} className="sync-word">
          <TextField
            label={t('sync-transform.map.from', { at: at + 1 })}
            value={row.from}
            onChange={(from) => put(at, { ...row, from })}
          />
          <TextField
            label={t('sync-transform.map.to', { at: at + 1 })}
            value={row.to}
            isOptional
            onChange={(to) => put(at, { ...row, to })}
          />
          <button
            type="button"
            className="button button-quiet"
            aria-label={t('sync-transform.map.remove-one', { at: at + 1 })}
            onClick={() => onChange(value.toSpliced(at, 1))}
          >
            {t('directory-sync.remove')}
          </button>
        </div>
      ))}
      {value.length < 500 && (
        <button type="button" className="button" onClick={() => onChange([...value, { from: '', to: '' }])}>
          {t('sync-transform.map.add')}
        </button>
      )}
    </fieldset>
  )
}
