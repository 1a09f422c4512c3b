import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { downloadImport, type ImportRow, type ImportRun, listImportRows } from '#shared/contract/user-imports.ts'
import { download } from '../../platform/download.ts'
import { useCount } from '../../platform/format-number.ts'
import { notifyFailure } from '../../platform/notify-failure.ts'
import { ChangedFields } from '../../ui/ChangedFields.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Column } from '../../ui/list-table.types.ts'
import type { Selection } from '../../ui/selection.ts'
import { useColumnLabel } from '../../ui/use-custom-columns.ts'
import { useNarrow } from '../../ui/use-narrow.ts'
import { IMPORTS_KEY, useImportStep } from './use-import-run.ts'

const OUTCOMES = ['bad', 'doubtful', 'new', 'changed', 'unchanged'] as const
const TONES = {
  new: 'tag tag-well',
  changed: 'tag',
  doubtful: 'tag tag-caution',
  unchanged: 'tag tag-plain',
  bad: 'tag tag-danger',
} as const

type Row = ImportRow & Record<string, unknown>

/** The findings for each row, problems first, also as a file to correct. */
export function ReportList({ run }: { run: ImportRun }) {
  const { t } = useTranslation()
  const isUndone = run.undo !== null
  return (
    <ListPage<Row>
      embedded
      place="memory"
      title={t('import.report')}
      endpoint={listImportRows as never}
      queryKey={IMPORTS_KEY}
      fixedQuery={{ id: run.id }}
      rowKey="row"
      rowName={({ row }) => t('import.report.row-name', { row: String(row) })}
      columns={useColumns(isUndone)}
      filters={[
        {
          name: 'outcome',
          label: t('import.report.outcome'),
          options: OUTCOMES.map((value) => ({ value, label: t(`import.outcome.${value}`) })),
        },
      ]}
      actions={<DownloadReport run={run} />}
      empty={t('import.report.empty')}
    />
  )
}

/** Rows that probably concern another person: excluded until confirmed. */
export function DoubtfulRows({ run }: { run: ImportRun }) {
  const { t } = useTranslation()
  const step = useImportStep(run)
  const title = t('import.outcome.doubtful')
  const columns = useColumns(false)
  const decide = (accepted: boolean) => (selection: Selection<Row>, clear: () => void) => {
    if (step.isPending) return
    const chosen = 'rows' in selection ? { rows: selection.rows.map(({ row }) => row) } : { all: true as const }
    step.mutate(
      { name: 'accept', selection: chosen, accepted },
      {
        onSuccess: clear,
        onError: notifyFailure,
      },
    )
  }
  return (
    <ListPage<Row>
      embedded
      place="memory"
      title={title}
      explain={t('import.doubtful.text', { count: run.counts.doubtful, shown: useCount()(run.counts.doubtful) })}
      endpoint={listImportRows as never}
      queryKey={IMPORTS_KEY}
      fixedQuery={{ id: run.id, outcome: 'doubtful' }}
      rowKey="row"
      rowName={({ row }) => t('import.report.row-name', { row: String(row) })}
      columns={columns}
      filters={[]}
      bulkActions={[
        { label: t('import.doubtful.accept'), takesAll: true, onRun: decide(true) },
        { label: t('import.doubtful.refuse'), takesAll: true, onRun: decide(false) },
      ]}
    />
  )
}

function useColumns(isUndone: boolean): Column<Row>[] {
  const { t } = useTranslation()
  const isNarrow = useNarrow()
  return [
    {
      key: 'row',
      title: t('import.report.row'),
      width: 80,
      // A card has no column heading to explain the number.
      render: ({ row }) => (isNarrow ? t('import.report.row-name', { row: String(row) }) : row),
    },
    { key: 'account', title: t('import-field.account'), render: ({ account }) => account || '—' },
    { key: 'name', title: t('import-field.name'), headsCard: true, render: ({ name }) => name || '—' },
    {
      key: 'outcome',
      title: t('import.report.outcome'),
      render: ({ outcome, accepted }) =>
        accepted ? (
          <span className="tag tag-well">{t('import.doubtful.accepted')}</span>
        ) : (
          <span className={TONES[outcome]}>{t(`import.outcome.${outcome}`)}</span>
        ),
    },
    {
      key: 'problems',
      title: t('import.report.problems'),
      render: (row) => (row.changes.length > 0 ? <Changes row={row} /> : <Problems row={row} isUndone={isUndone} />),
    },
  ]
}

function Changes({ row }: { row: ImportRow }) {
  return <ChangedFields changes={row.changes} labelOf={useColumnLabel()} />
}

function Problems({ row, isUndone }: { row: ImportRow; isUndone: boolean }) {
  if (row.problems.length === 0) return isUndone && row.undo ? row.undo : '—'
  return (
    <ul className="import-problems">
      {row.problems.map(({ column, value, reason }) => (
        <li key={`${column} ${reason}`}>
          {column && <strong>{column}</strong>}
          {value && <q>{value}</q>}
          <span>{reason}</span>
        </li>
      ))}
    </ul>
  )
}

const hasBad = ({ counts, undo }: ImportRun) => counts.bad + counts.doubtful - counts.accepted > 0 && !undo

function DownloadReport({ run }: { run: ImportRun }) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    if (busy) return
    setBusy(true)
    try {
      const rows = hasBad(run) ? 'bad' : 'all'
      await download(
        downloadImport,
        { id: run.id, rows },
        `${t('import.report')} ${run.fileName.replace(/\.\w+$/, '')}.${run.format}`,
      )
    } catch (error) {
      notifyFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <button type="button" className="button" aria-disabled={busy} onClick={() => void save()}>
      <Icon name="download" />
      {t(hasBad(run) ? 'import.report.download-bad' : 'import.report.download')}
    </button>
  )
}
