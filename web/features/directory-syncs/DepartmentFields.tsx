import { useTranslation } from 'react-i18next'
import type { SourceTest } from '#shared/contract/data-sources.ts'
import { DEPARTMENT_FIELDS, type DepartmentSyncFields, MISSING_DEPARTMENTS } from '#shared/contract/sync-departments.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { MappingFields } from './MappingFields.tsx'
import { OrganizationField } from './OrganizationField.tsx'
import { RootRows } from './RootRows.tsx'
import { TableField } from './TableField.tsx'
import { useSourceLook } from './use-source-look.ts'
import { WholeNumberField } from './WholeNumberField.tsx'

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

/** Where departments are read, their columns, and what happens to missing ones. */
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
        name="departments.table"
        value={value.table}
        look={look}
        onChange={(table) => set({ table, keyColumn: '', parentColumn: '', mapping: [] })}
      />
      <MappingFields
        legend={t('directory-sync.department-mapping')}
        keyHint={t('directory-sync.department-key-hint')}
        keyName="departments.keyColumn"
        fields={DEPARTMENT_FIELDS.map((field) => ({ value: field, label: t(`department-field.${field}`) }))}
        suggested={suggestedMapping(look.columns)}
        value={{ sourceId, table: value.table, keyColumn: value.keyColumn, mapping: value.mapping }}
        look={look}
        of="departments"
        onChange={set}
      />
      {columns.length > 0 && (
        <SelectField
          label={t('directory-sync.parent')}
          hint={t('directory-sync.parent-hint')}
          name="departments.parentColumn"
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
          <WholeNumberField
            label={t('directory-sync.leaver-runs')}
            name="departments.missing.runs"
            value={missing.runs}
            onChange={(runs) => set({ missing: { ...missing, runs } })}
          />
          <WholeNumberField
            label={t('directory-sync.leaver-days')}
            name="departments.missing.days"
            value={missing.days}
            onChange={(days) => set({ missing: { ...missing, days } })}
          />
        </>
      )}
    </>
  )
}

const suggestedMapping = (columns: SourceTest['columns']): DepartmentSyncFields['mapping'] =>
  columns.flatMap(({ name, suggestedForDepartments: field }) =>
    field ? [{ column: name, field, transforms: [] }] : [],
  )

type RootProps = {
  value: DepartmentSyncFields['roots']
  onChange: (roots: DepartmentSyncFields['roots']) => void
}

/** The parent value of the source's top departments, and the departments here that they belong to. */
function Roots({ value, onChange }: RootProps) {
  const { t } = useTranslation()
  return (
    <RootRows
      legend={t('directory-sync.roots')}
      hint={t('directory-sync.roots-hint')}
      value={value}
      onChange={onChange}
      fresh={{ value: '', organizationId: null }}
      addLabel={t('directory-sync.root-add')}
      removeLabel={(at) => t('directory-sync.root-remove', { at })}
    >
      {(root, at, set) => (
        <>
          <TextField
            label={t('directory-sync.root-value', { at: at + 1 })}
            value={root.value}
            isOptional
            maxLength={500}
            onChange={(text) => set({ ...root, value: text })}
          />
          <OrganizationField
            label={t('directory-sync.root-target', { at: at + 1 })}
            hint={t('directory-sync.root-target-hint')}
            isOptional
            value={root.organizationId ?? ''}
            onChange={(id) => set({ ...root, organizationId: id || null })}
          />
        </>
      )}
    </RootRows>
  )
}
