import { useTranslation } from 'react-i18next'

export type Verb<Row> = { label: string; danger?: boolean; onRun: (rows: Row[]) => void }

type Props<Row> = { rows: Row[]; verbs: readonly Verb<Row>[]; onClear: () => void }

/** What can be done with the selected rows together. */
export function BulkBar<Row>({ rows, verbs, onClear }: Props<Row>) {
  const { t } = useTranslation()
  return (
    <div className="bulk-bar" role="status">
      <strong>{t('list.selected', { count: rows.length })}</strong>
      <button type="button" onClick={onClear}>
        {t('list.clear-selection')}
      </button>
      <span className="bulk-verbs">
        {verbs.map(({ label, onRun }) => (
          <button key={label} type="button" onClick={() => onRun(rows)}>
            {label}
          </button>
        ))}
      </span>
    </div>
  )
}
