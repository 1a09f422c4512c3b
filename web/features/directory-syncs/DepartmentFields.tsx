import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { organizationDetails } from '#shared/contract/organizations.ts'
import { DEPARTMENT_FIELDS, type DepartmentSyncFields, MISSING_DEPARTMENTS } from '#shared/contract/sync-departments.ts'
import { call } from '../../platform/api.ts'
import { OrganizationPicker } from '../../ui/OrganizationPicker.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { MappingFields } from './MappingFields.tsx'
import { TableField } from './TableField.tsx'
import { useSourceLook } from './use-source-look.ts'
import { whole } from './whole-number.ts'

type Props = {
  sourceId: string
  value: DepartmentSyncFields
  onChange: (value: DepartmentSyncFields) => void
}

export const NEW_DEPARTMENTS: DepartmentSyncFields = {
  table: '',
  keyColumn: '',
  parentColumn: '',
  roots: [{ value: '', organizationId: null }],
  mapping: [],
  matchByCode: true,
  missing: { action: 'keep', runs: 2, days: 3 },
}

/** Where departments are read, how they hang together, and what becomes of those that the source has no longer. */
export function DepartmentFields({ sourceId, value, onChange }: Props) {
  const { t } = useTranslation()
  const look = useSourceLook(sourceId, value.table)
  const set = (change: Partial<DepartmentSyncFields>) => onChange({ ...value, ...change })
  const columns = look.columns.map(({ name }) => ({ value: name, label: name }))
  const { missing } = value
  return (
    <>
      <TableField
        label={t('directory-sync.department-table')}
        value={value.table}
        look={look}
        onChange={(table) => set({ table, keyColumn: '', parentColumn: '', mapping: [] })}
      />
      <MappingFields
        legend={t('directory-sync.department-mapping')}
        keyHint={t('directory-sync.department-key-hint')}
        fields={DEPARTMENT_FIELDS.map((field) => ({ value: field, label: t(`department-field.${field}`) }))}
        suggested={[]}
        value={{ sourceId, table: value.table, keyColumn: value.keyColumn, mapping: value.mapping }}
        look={look}
        onChange={set}
      />
      {columns.length > 0 && (
        <SelectField
          label={t('directory-sync.parent')}
          hint={t('directory-sync.parent-hint')}
          value={value.parentColumn}
          options={columns}
          onChange={(parentColumn) => set({ parentColumn })}
        />
      )}
      <Roots value={value.roots} onChange={(roots) => set({ roots })} />
      <Switch
        label={t('directory-sync.match-by-code')}
        checked={value.matchByCode}
        hint={t('directory-sync.match-by-code-hint')}
        onChange={(matchByCode) => set({ matchByCode })}
      />
      <SelectField
        label={t('directory-sync.missing-department')}
        value={missing.action}
        options={MISSING_DEPARTMENTS.map((action) => ({
          value: action,
          label: t(`directory-sync.missing-department.${action}`),
        }))}
        onChange={(action) => action && set({ missing: { ...missing, action } })}
      />
      {missing.action !== 'keep' && (
        <>
          <TextField
            label={t('directory-sync.leaver-runs')}
            value={String(missing.runs)}
            inputMode="numeric"
            onChange={(runs) => set({ missing: { ...missing, runs: whole(runs) } })}
          />
          <TextField
            label={t('directory-sync.leaver-days')}
            value={String(missing.days)}
            inputMode="numeric"
            onChange={(days) => set({ missing: { ...missing, days: whole(days) } })}
          />
        </>
      )}
    </>
  )
}

type Root = DepartmentSyncFields['roots'][number]
const MAX_ROOTS = 20

/** What the source says above its highest departments, and below which department here those go. */
function Roots({ value, onChange }: { value: readonly Root[]; onChange: (roots: Root[]) => void }) {
  const { t } = useTranslation()
  return (
    <fieldset className="sync-fieldset">
      <legend>{t('directory-sync.roots')}</legend>
      <p className="muted">{t('directory-sync.roots-hint')}</p>
      {value.map((root, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: roots are told by their place while they are typed.
        <div key={at} className="sync-grid">
          <TextField
            label={t('directory-sync.root-value', { at: at + 1 })}
            value={root.value}
            isOptional
            maxLength={500}
            onChange={(text) => onChange(value.toSpliced(at, 1, { ...root, value: text }))}
          />
          <RootTarget root={root} at={at} onChange={(changed) => onChange(value.toSpliced(at, 1, changed))} />
          {value.length > 1 && (
            <button
              type="button"
              className="button button-quiet"
              aria-label={t('directory-sync.root-remove', { at: at + 1 })}
              onClick={() => onChange(value.toSpliced(at, 1))}
            >
              {t('directory-sync.remove')}
            </button>
          )}
        </div>
      ))}
      {value.length < MAX_ROOTS && (
        <button
          type="button"
          className="button"
          onClick={() => onChange([...value, { value: '', organizationId: null }])}
        >
          {t('directory-sync.root-add')}
        </button>
      )}
    </fieldset>
  )
}

function RootTarget({ root, at, onChange }: { root: Root; at: number; onChange: (root: Root) => void }) {
  const { t } = useTranslation()
  const id = root.organizationId
  const details = useQuery({
    queryKey: ['organization', id],
    queryFn: ({ signal }) => call(organizationDetails, { query: { id: id ?? '' } }, { signal }),
    enabled: id !== null,
  })
  return (
    <OrganizationPicker
      label={t('directory-sync.root-target', { at: at + 1 })}
      hint={t('directory-sync.root-target-hint')}
      isOptional
      value={id === null ? [] : [{ id, label: details.data?.name ?? id }]}
      onChange={([chosen]) => onChange({ ...root, organizationId: chosen?.id ?? null })}
    />
  )
}
