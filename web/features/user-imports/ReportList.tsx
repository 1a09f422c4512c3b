import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { downloadImport, type ImportRow, type ImportRun, listImportRows } from '#shared/contract/user-imports.ts'
import { download } from '../../platform/download.ts'
import { notify } from '../../platform/notices.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Column } from '../../ui/ListTable.tsx'
import { useNarrow } from '../../ui/use-narrow.ts'
import { IMPORTS_KEY } from './use-import-run.ts'

const OUTCOMES = ['new', 'changed', 'unchanged', 'bad'] as const
const TONES = { new: 'tag tag-well', changed: 'tag', unchanged: 'tag tag-plain', bad: 'tag tag-caution' } as const

/** What was found in each row, and the same as a file to be put right. */
export function ReportList({ run }: { run: ImportRun }) {
  const { t } = useTranslation()
  const isUndone = run.undo !== null
  return (
    <ListPage<ImportRow & Record<string, unknown>>
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

function useColumns(isUndone: boolean): Column<ImportRow & Record<string, unknown>>[] {
  const { t } = useTranslation()
  const isNarrow = useNarrow()
  return [
    {
      key: 'row',
      title: t('import.report.row'),
      width: 80,
      // A card has no heading that says what the number is.
      render: ({ row }) => (isNarrow ? t('import.report.row-name', { row: String(row) }) : row),
    },
    { key: 'account', title: t('import-field.account'), render: ({ account }) => account || '—' },
    { key: 'name', title: t('import-field.name'), headsCard: true, render: ({ name }) => name || '—' },
    {
      key: 'outcome',
      title: t('import.report.outcome'),
      render: ({ outcome }) => <span className={TONES[outcome]}>{t(`import.outcome.${outcome}`)}</span>,
    },
    {
      key: 'problems',
      title: t('import.report.problems'),
      render: (row) => (row.changes.length > 0 ? <Changes row={row} /> : <Problems row={row} isUndone={isUndone} />),
    },
  ]
}

function Changes({ row }: { row: ImportRow }) {
  const { t } = useTranslation()
  return (
    <ul className="import-changes">
      {row.changes.map(({ field, values }) => (
        <li key={field}>
          <strong>{t(`import-field.${field}`)}</strong>
          {values && (
            <>
              <del>{values.before || '—'}</del>
              <span aria-hidden="true">→</span>
              <ins>{values.after || '—'}</ins>
            </>
          )}
        </li>
      ))}
    </ul>
  )
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

function DownloadReport({ run }: { run: ImportRun }) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    if (busy) return
    setBusy(true)
    try {
      const rows = run.counts.bad > 0 && !run.undo ? 'bad' : 'all'
      await download(
        downloadImport,
        { id: run.id, rows },
        `${t('import.report')} ${run.fileName.replace(/\.\w+$/, '')}.${run.format}`,
      )
    } catch (error) {
      notify('danger', isRefusal(error) ? error.message : t('network.unreachable'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <button type="button" className="button" aria-disabled={busy} onClick={() => void save()}>
      <Icon name="download" />
      {t(run.counts.bad > 0 && !run.undo ? 'import.report.download-bad' : 'import.report.download')}
    </button>
  )
}
