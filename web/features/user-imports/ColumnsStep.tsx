import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IMPORT_FIELDS, type ImportField, type ImportRun } from '#shared/contract/user-imports.ts'
import { failureText } from '../../platform/failure-text.ts'
import { useCount } from '../../platform/format-number.ts'
import { useIsSuperUser } from '../../platform/session.ts'
import { Select } from '../../ui/Select.tsx'
import { useCustomColumns } from '../../ui/use-custom-columns.ts'
import { StepHeading } from './StepHeading.tsx'
import { useImportStep } from './use-import-run.ts'

type Props = { run: ImportRun; onChecking: () => void }

/** Maps columns to fields; suggested by the headings, and remembered. */
export function ColumnsStep({ run, onChecking }: Props) {
  const { t } = useTranslation()
  const [mapping, setMapping] = useState(run.mapping)
  const step = useImportStep(run)
  const choose = (at: number, field: ImportField | null) =>
    // A field is filled by one column only: remove it from the other.
    setMapping((before) =>
      before.map((one, index) => (index === at ? field : one === field && field !== null ? null : one)),
    )
  const error = failureText(step.error)
  const hasAccount = mapping.includes('account')
  return (
    <form
      className="import-columns"
      onSubmit={(event) => {
        event.preventDefault()
        if (!hasAccount || step.isPending) return
        step.mutate({ name: 'check', mapping }, { onSuccess: onChecking })
      }}
    >
      <StepHeading>{t('import.step.columns')}</StepHeading>
      <p>{t('import.columns.explain')}</p>
      <FileLine run={run} />
      <ul className="import-column-list">
        {run.headings.map((heading, at) => (
          <ColumnRow
            // biome-ignore lint/suspicious/noArrayIndexKey: columns have no name but their place.
            key={at}
            heading={heading || t('import.columns.unnamed', { at: at + 1 })}
            examples={run.examples.map((row) => row[at] ?? '').filter(Boolean)}
            value={mapping[at] ?? null}
            onChange={(field) => choose(at, field)}
          />
        ))}
      </ul>
      {!hasAccount && (
        <p className="field-error" role="alert">
          {t('errors.import.no-account-column')}
        </p>
      )}
      {step.isError && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      <div className="form-actions">
        <button type="submit" className="button button-primary" aria-disabled={!hasAccount || step.isPending}>
          {t('import.check')}
        </button>
      </div>
    </form>
  )
}

function FileLine({ run }: { run: ImportRun }) {
  const { t } = useTranslation()
  const count = useCount()(run.rowCount)
  const separators: Record<string, string> = { '\t': t('import.separator.tab') }
  const how =
    run.format === 'csv'
      ? [run.encoding.toUpperCase(), t('import.separator', { sign: separators[run.separator] ?? run.separator })]
      : ['XLSX']
  return (
    <p className="muted">
      <bdi>{run.fileName}</bdi> · {t('import.rows', { count: run.rowCount, shown: count })} · {how.join(' · ')}
    </p>
  )
}

type RowProps = {
  heading: string
  examples: readonly string[]
  value: ImportField | null
  onChange: (field: ImportField | null) => void
}

function ColumnRow({ heading, examples, value, onChange }: RowProps) {
  const { t } = useTranslation()
  const isSuperUser = useIsSuperUser()
  const custom = useCustomColumns()
  const fields = [
    ...IMPORT_FIELDS.filter((field) => isSuperUser || field !== 'roles').map((value) => ({
      value: value as ImportField,
      label: t(`import-field.${value}`),
    })),
    ...custom.map(({ name, label }) => ({ value: name as ImportField, label })),
  ]
  return (
    <li className="import-column">
      <span className="import-column-heading">{heading}</span>
      <span className="muted import-column-examples">{examples.join(' · ') || t('import.columns.empty')}</span>
      <Select
        label={heading}
        value={value ?? ''}
        options={[{ value: '', label: t('import.columns.none') }, ...fields]}
        onChange={(chosen) => onChange(fields.find(({ value: field }) => field === chosen)?.value ?? null)}
      />
    </li>
  )
}
