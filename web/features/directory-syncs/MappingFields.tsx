import { useTranslation } from 'react-i18next'
import { SelectField } from '../../ui/SelectField.tsx'
import { MappingPreview, type PreviewRequest } from './MappingPreview.tsx'
import { MappingSteps } from './MappingSteps.tsx'
import type { FieldOption, MappingEntry } from './mapping.types.ts'
import type { SourceLook } from './use-source-look.ts'

type Props<Field extends string> = {
  legend: string
  keyHint: string
  /** The name of the key column in the contract. */
  keyName: string
  fields: readonly FieldOption<Field>[]
  /** Used until something is selected. */
  suggested: MappingEntry<Field>[]
  value: Omit<PreviewRequest<Field>, 'of' | 'withDepartments'>
  look: SourceLook
  of: 'people' | 'departments'
  /** The same sync reads departments too. */
  withDepartments?: boolean
  onChange: (change: { keyColumn?: string; mapping: MappingEntry<Field>[] }) => void
}

/** Maps columns to fields, with masked sample values, transforms and a preview. */
export function MappingFields<Field extends string>(props: Props<Field>) {
  const { legend, keyHint, keyName, fields, suggested, value, look, of, withDepartments = false, onChange } = props
  const { t } = useTranslation()
  if (look.columns.length === 0) return null
  const mapping = value.mapping.length > 0 ? value.mapping : suggested
  const choose = (column: string, field: Field | '') => {
    const former = mapping.find((one) => one.column === column)
    const others = mapping.filter((one) => one !== former && one.field !== field)
    onChange({ mapping: field === '' ? others : [...others, { column, field, transforms: former?.transforms ?? [] }] })
  }
  const sample = (at: number) => look.samples.map((row) => row[at]).find((one) => one)
  const names = look.columns.map(({ name }) => name)
  return (
    <fieldset className="sync-fieldset">
      <legend>{legend}</legend>
      <p className="muted">{t('directory-sync.mapping-hint')}</p>
      <div className="sync-grid">
        <SelectField
          label={t('directory-sync.key')}
          name={keyName}
          hint={keyHint}
          value={value.keyColumn}
          options={names.map((name) => ({ value: name, label: name }))}
          onChange={(keyColumn) => onChange({ keyColumn, mapping })}
        />
        {names.map((name, at) => {
          const shown = sample(at)
          return (
            <SelectField
              key={name}
              label={name}
              none={t('directory-sync.mapping-none')}
              hint={shown ? t('directory-sync.sample', { value: shown }) : undefined}
              value={mapping.find(({ column }) => column === name)?.field ?? ''}
              options={fields}
              onChange={(field) => choose(name, field)}
            />
          )
        })}
      </div>
      <MappingSteps
        fields={fields}
        mapping={mapping}
        columns={names}
        onChange={(steps) => onChange({ mapping: steps })}
      />
      <MappingPreview fields={fields} request={{ ...value, of, withDepartments, mapping }} />
    </fieldset>
  )
}
