import { useTranslation } from 'react-i18next'
import type { SourceTest } from '#shared/contract/data-sources.ts'
import type { DirectorySyncFields } from '#shared/contract/directory-syncs.ts'
import { IMPORT_FIELDS } from '#shared/contract/user-imports.ts'
import { SelectField } from '../../ui/SelectField.tsx'

type Props = {
  draft: DirectorySyncFields
  set: (change: Partial<DirectorySyncFields>) => void
  columns: SourceTest['columns']
  samples: SourceTest['rows']
}

type Field = DirectorySyncFields['mapping'][number]['field']

/** Which column fills which field, with masked values of the source; what the names suggest is chosen at first. */
export function MappingFields({ draft, set, columns, samples }: Props) {
  const { t } = useTranslation()
  if (columns.length === 0) return null
  const mapping = draft.mapping.length > 0 ? draft.mapping : suggestedMapping(columns)
  const choose = (column: string, field: Field | '') => {
    const others = mapping.filter((one) => one.column !== column && one.field !== field)
    set({ mapping: field === '' ? others : [...others, { column, field, transforms: [] }] })
  }
  const fields = IMPORT_FIELDS.filter((field) => field !== 'roles')
  const sample = (at: number) => samples.map((row) => row[at]).find((value) => value)
  return (
    <fieldset className="sync-fieldset">
      <legend>{t('directory-sync.mapping')}</legend>
      <p className="muted">{t('directory-sync.mapping-hint')}</p>
      <div className="sync-grid">
        <SelectField
          label={t('directory-sync.key')}
          name="keyColumn"
          hint={t('directory-sync.key-hint')}
          value={draft.keyColumn}
          options={columns.map(({ name }) => ({ value: name, label: name }))}
          onChange={(keyColumn) => set({ keyColumn, mapping })}
        />
        {columns.map(({ name }, at) => {
          const value = sample(at)
          return (
            <SelectField
              key={name}
              label={name}
              none={t('directory-sync.mapping-none')}
              hint={value ? t('directory-sync.sample', { value }) : undefined}
              value={mapping.find(({ column }) => column === name)?.field ?? ''}
              options={fields.map((field) => ({ value: field as Field, label: t(`import-field.${field}`) }))}
              onChange={(field) => choose(name, field)}
            />
          )
        })}
      </div>
    </fieldset>
  )
}

const suggestedMapping = (columns: Props['columns']): DirectorySyncFields['mapping'] =>
  columns.flatMap(({ name, suggested }) =>
    suggested && suggested !== 'roles' ? [{ column: name, field: suggested, transforms: [] }] : [],
  )
