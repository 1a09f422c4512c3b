import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { dataSources, testDataSource } from '#shared/contract/data-sources.ts'
import {
  type DirectorySync,
  type DirectorySyncFields,
  directorySyncs,
  MATCH_FIELDS,
} from '#shared/contract/directory-syncs.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useEditedDraft } from '../../ui/use-edited-draft.ts'
import { LeaverFields } from './LeaverFields.tsx'
import { MappingFields } from './MappingFields.tsx'
import { ScheduleFields } from './ScheduleFields.tsx'
import { refreshSyncs } from './sync-queries.ts'
import { ThresholdFields } from './ThresholdFields.tsx'

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
  schedule: null,
  note: '',
}

function draftOf(sync: DirectorySync | null): DirectorySyncFields {
  if (!sync) return EMPTY
  const { name, sourceId, objects, departments, table, keyColumn, mapping, ...more } = sync
  const { matchBy, thresholds, leavers, schedule, note } = more
  return {
    ...{ name, sourceId, objects, departments, table, keyColumn, mapping },
    matchBy,
    thresholds,
    leavers,
    schedule,
    note,
  }
}

const COMPARED = ['name', 'table', 'note'] as const

/** Source, columns and fields with real values beside them, what holds a run, and what becomes of leavers. */
export function SyncForm({ edited, onClose }: { edited: DirectorySync | null; onClose: () => void }) {
  const { t } = useTranslation()
  const { loaded, draft, set, isDirty, conflictOf } = useEditedDraft(edited, draftOf)
  const found = useSource(draft)
  const labels = Object.fromEntries(COMPARED.map((name) => [name, t(`directory-sync.${name}`)]))
  const save = async () => {
    const { id = '', version = 0 } = loaded ?? {}
    if (loaded) await call(directorySyncs.update, { query: { id }, body: { ...draft, version } })
    else await call(directorySyncs.create, { body: draft })
    await refreshSyncs()
    notify('well', t('directory-sync.saved', { name: draft.name }))
  }
  return (
    <FormDialog<DirectorySync>
      title={edited ? t('directory-sync.edit-one', { name: edited.name }) : t('directory-sync.create')}
      verb={t('action.save')}
      size="wide"
      isDirty={isDirty}
      {...conflictOf({ labels })}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label={t('directory-sync.name')}
        name="name"
        value={draft.name}
        maxLength={100}
        isFirst
        onChange={(name) => set({ name })}
      />
      <SelectField
        label={t('directory-sync.source')}
        name="sourceId"
        value={draft.sourceId}
        options={found.sources.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(sourceId) => set({ sourceId, table: '', keyColumn: '', mapping: [] })}
      />
      {found.needsTable && (
        <SelectField
          label={t('directory-sync.table')}
          name="table"
          value={draft.table}
          options={found.tables.map((value) => ({ value, label: value }))}
          onChange={(table) => set({ table, keyColumn: '', mapping: [] })}
        />
      )}
      {found.problem && (
        <p className="field-error sync-wide" role="alert">
          {found.problem}
        </p>
      )}
      <MappingFields draft={draft} set={set} columns={found.columns} samples={found.samples} />
      <MatchField value={draft.matchBy} onChange={(matchBy) => set({ matchBy })} />
      <LeaverFields
        value={draft.leavers}
        department={edited?.leaverDepartment ?? null}
        onChange={(leavers) => set({ leavers })}
      />
      <ThresholdFields value={draft.thresholds} onChange={(thresholds) => set({ thresholds })} />
      <ScheduleFields value={draft.schedule} onChange={(schedule) => set({ schedule })} />
      <TextField
        label={t('directory-sync.note')}
        name="note"
        value={draft.note}
        maxLength={500}
        isOptional
        isWide
        onChange={(note) => set({ note })}
      />
    </FormDialog>
  )
}

type MatchProps = { value: DirectorySyncFields['matchBy']; onChange: (value: DirectorySyncFields['matchBy']) => void }

/** By what somebody who is not linked yet is known here. */
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

/** What the chosen source has: its tables, and of the chosen one columns and the first values. */
function useSource({ sourceId, table }: DirectorySyncFields) {
  const { data: list } = useQuery({
    queryKey: ['data-sources', 'all'],
    queryFn: ({ signal }) => call(dataSources.list, { query: { pageSize: 100 } }, { signal }),
  })
  const source = list?.records.find(({ id }) => id === sourceId)
  const look = useQuery({
    queryKey: ['data-source-test', sourceId, source?.version, table],
    queryFn: ({ signal }) => {
      if (!source) throw new Error('no source is chosen')
      const { name, kind, host, port, database, user, password, tls, ca, timeoutSeconds, note } = source
      const fields = { name, kind, host, port, database, user, password, tls, ca, timeoutSeconds, note }
      return call(testDataSource, { body: { ...fields, id: source.id, table } }, { signal })
    },
    enabled: source !== undefined,
    retry: false,
    staleTime: 60_000,
  })
  return {
    sources: list?.records ?? [],
    needsTable: source !== undefined && source.kind !== 'csv-upload',
    tables: look.data?.tables ?? (table ? [table] : []),
    columns: look.data?.columns ?? [],
    samples: look.data?.rows ?? [],
    problem: look.data?.message ?? (look.error ? look.error.message : null),
  }
}
