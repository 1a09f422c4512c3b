import { useTranslation } from 'react-i18next'
import type { SourceTest } from '#shared/contract/data-sources.ts'
import { type DirectorySync, type DirectorySyncFields, directorySyncs } from '#shared/contract/directory-syncs.ts'
import { SYNC_OBJECTS } from '#shared/contract/sync-departments.ts'
import { MATCH_FIELDS } from '#shared/contract/sync-mappings.ts'
import { IMPORT_FIELDS } from '#shared/contract/user-imports.ts'
import { notify } from '../../platform/notices.ts'
import { saveResource } from '../../platform/save-resource.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { NameField } from '../../ui/NameField.tsx'
import { NoteField } from '../../ui/NoteField.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { useColumnLabel, useCustomColumns } from '../../ui/use-custom-columns.ts'
import { useEditedDraft } from '../../ui/use-edited-draft.ts'
import { DepartmentFields, NEW_DEPARTMENTS } from './DepartmentFields.tsx'
import { LeaverFields } from './LeaverFields.tsx'
import { MappingFields } from './MappingFields.tsx'
import { ResponsibleField } from './ResponsibleField.tsx'
import { ScheduleFields } from './ScheduleFields.tsx'
import { conflictWords } from './sync-conflict.ts'
import { refreshSyncs } from './sync-queries.ts'
import { TableField } from './TableField.tsx'
import { ThresholdFields } from './ThresholdFields.tsx'
import { useSourceLook, useSources } from './use-source-look.ts'
import { WholeNumberField } from './WholeNumberField.tsx'

const EMPTY: DirectorySyncFields = {
  name: '',
  sourceId: '',
  objects: 'people',
  departments: null,
  table: '',
  keyColumn: '',
  mapping: [],
  matchBy: ['account'],
  thresholds: { missing: 5, changed: 20, created: 20, field: 10, bad: 10, rows: 80 },
  leavers: { action: 'none', runs: 2, days: 3, organizationId: null, graceDays: 30 },
  rank: 50,
  responsibleIds: [],
  cursorColumn: null,
  schedule: null,
  note: '',
}

function draftOf(sync: DirectorySync | null): DirectorySyncFields {
  if (!sync) return EMPTY
  const { name, sourceId, objects, departments, table, keyColumn, mapping, ...more } = sync
  const { matchBy, thresholds, leavers, rank, responsibleIds, cursorColumn, schedule, note } = more
  return {
    ...{ name, sourceId, objects, departments, table, keyColumn, mapping },
    matchBy,
    thresholds,
    leavers,
    rank,
    responsibleIds,
    cursorColumn,
    schedule,
    note,
  }
}

/** Source, columns and fields with sample values, thresholds, and what happens to leavers. */
export function SyncForm({ edited, onClose }: { edited: DirectorySync | null; onClose: () => void }) {
  const { t } = useTranslation()
  const { loaded, draft, set, isDirty, conflictOf } = useEditedDraft(edited, draftOf)
  const sources = useSources()
  const words = conflictWords(t)
  const labels = { ...words.labels, table: t('directory-sync.table') }
  const save = async () => {
    await saveResource(directorySyncs, loaded, draft)
    await refreshSyncs()
    notify('well', t('directory-sync.saved', { name: draft.name }))
  }
  return (
    <FormDialog<DirectorySync>
      title={edited ? t('directory-sync.edit-one', { name: edited.name }) : t('directory-sync.create')}
      verb={t('action.save')}
      size="wide"
      isDirty={isDirty}
      {...conflictOf({ ...words, labels })}
      onSubmit={save}
      onClose={onClose}
    >
      <NameField label={t('directory-sync.name')} value={draft.name} onChange={(name) => set({ name })} />
      <SelectField
        label={t('directory-sync.source')}
        name="sourceId"
        value={draft.sourceId}
        options={sources.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(sourceId) =>
          set({ sourceId, table: '', keyColumn: '', mapping: [], departments: draft.departments && NEW_DEPARTMENTS })
        }
      />
      <SelectField
        label={t('directory-sync.objects')}
        hint={t('directory-sync.objects-hint')}
        name="objects"
        value={draft.objects}
        options={SYNC_OBJECTS.map((value) => ({ value, label: t(`directory-sync.objects.${value}`) }))}
        onChange={(objects) =>
          objects && set({ objects, departments: objects === 'people' ? null : (draft.departments ?? NEW_DEPARTMENTS) })
        }
      />
      {draft.departments && draft.sourceId && (
        <DepartmentFields
          sourceId={draft.sourceId}
          value={draft.departments}
          onChange={(departments) => set({ departments })}
        />
      )}
      {draft.objects !== 'departments' && (
        <PeopleFields draft={draft} set={set} syncId={edited?.id} leaverDepartment={edited?.leaverDepartment ?? null} />
      )}
      <ThresholdFields value={draft.thresholds} onChange={(thresholds) => set({ thresholds })} />
      <ResponsibleField loaded={loaded} draft={draft} set={set} />
      <ScheduleFields value={draft.schedule} onChange={(schedule) => set({ schedule })} />
      <NoteField label={t('directory-sync.note')} value={draft.note} onChange={(note) => set({ note })} />
    </FormDialog>
  )
}

type PartProps = {
  draft: DirectorySyncFields
  set: (change: Partial<DirectorySyncFields>) => void
  /** Absent: it isn't saved yet. */
  syncId: string | undefined
  leaverDepartment: string | null
}

/** Where people are read, how their fields are mapped and matched, and what happens to leavers. */
function PeopleFields({ draft, set, syncId, leaverDepartment }: PartProps) {
  const { t } = useTranslation()
  const { sourceId, table, keyColumn, mapping, matchBy } = draft
  const look = useSourceLook(sourceId, table)
  const labelOf = useColumnLabel()
  const fields = [...PERSON_FIELDS, ...useCustomColumns().map(({ name }) => name)]
  return (
    <>
      <TableField
        label={t('directory-sync.table')}
        name="table"
        value={table}
        look={look}
        onChange={(chosen) => set({ table: chosen, keyColumn: '', mapping: [] })}
      />
      <MappingFields
        legend={t('directory-sync.mapping')}
        keyHint={t('directory-sync.key-hint')}
        keyName="keyColumn"
        fields={fields.map((field) => ({ value: field, label: labelOf(field) }))}
        suggested={suggestedMapping(look.columns)}
        value={{ sourceId, table, keyColumn, mapping, matchBy, ...(syncId && { syncId }) }}
        look={look}
        of="people"
        withDepartments={draft.objects === 'both'}
        onChange={set}
      />
      {look.reportsChanges && (
        <CursorField
          columns={look.cursorColumns}
          value={draft.cursorColumn}
          onChange={(cursorColumn) => set({ cursorColumn })}
        />
      )}
      <MatchField value={matchBy} onChange={(fields) => set({ matchBy: fields })} />
      <RankField value={draft.rank} onChange={(rank) => set({ rank })} />
      <LeaverFields value={draft.leavers} department={leaverDepartment} onChange={(leavers) => set({ leavers })} />
    </>
  )
}

type Mapping = DirectorySyncFields['mapping']

/** Role membership is decided here, not in the source. */
const PERSON_FIELDS = IMPORT_FIELDS.filter((field) => field !== 'roles')

const suggestedMapping = (columns: SourceTest['columns']): Mapping =>
  columns.flatMap(({ name, suggested }) =>
    suggested && suggested !== 'roles' ? [{ column: name, field: suggested, transforms: [] }] : [],
  )

type CursorProps = {
  columns: SourceTest['columns']
  value: string | null
  onChange: (value: string | null) => void
}

/** The column by which the source reports changed rows. */
function CursorField({ columns, value, onChange }: CursorProps) {
  const { t } = useTranslation()
  return (
    <SelectField
      label={t('directory-sync.cursor-column')}
      name="cursorColumn"
      hint={t('directory-sync.cursor-hint')}
      none={t('directory-sync.cursor-none')}
      value={value ?? ''}
      options={columns.map(({ name }) => ({ value: name, label: name }))}
      onChange={(column) => onChange(column || null)}
    />
  )
}

/** The rank that decides which of several syncs owns a field. */
function RankField({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const { t } = useTranslation()
  return (
    <WholeNumberField
      label={t('directory-sync.rank')}
      name="rank"
      hint={t('directory-sync.rank-hint')}
      value={value}
      onChange={onChange}
    />
  )
}

type MatchProps = { value: DirectorySyncFields['matchBy']; onChange: (value: DirectorySyncFields['matchBy']) => void }

/** The fields by which people who are not linked yet are matched. */
function MatchField({ value, onChange }: MatchProps) {
  const { t } = useTranslation()
  return (
    <SelectField
      label={t('directory-sync.match')}
      value={value.join() as never}
      hint={t('directory-sync.match-hint')}
      none
      options={MATCH_ORDERS.map((fields) => ({
        value: fields.join(),
        label: fields.map((field) => t(`import-field.${field}`)).join(' → '),
      }))}
      onChange={(chosen) => onChange(MATCH_ORDERS.find((fields) => fields.join() === chosen) ?? [])}
    />
  )
}

const [ACCOUNT, MAILBOX, PHONE] = MATCH_FIELDS
const MATCH_ORDERS: DirectorySyncFields['matchBy'][] = [
  [ACCOUNT],
  [ACCOUNT, MAILBOX],
  [ACCOUNT, MAILBOX, PHONE],
  [ACCOUNT, PHONE],
]
