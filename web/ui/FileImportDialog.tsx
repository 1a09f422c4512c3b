import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '../platform/refusal.ts'
import { Dialog } from './Dialog.tsx'
import { FailureLine } from './FailureLine.tsx'
import { FileDrop } from './FileDrop.tsx'
import { LeaveButton } from './LeaveButton.tsx'
import './file-import.css'

type Props<Report> = {
  title: string
  explain: string
  words: Record<'choose' | 'drop' | 'reading' | 'limits', string>
  mostBytes: number
  /** Previews the file. */
  check: (file: File) => Promise<Report>
  /** Imports the file and notifies. */
  run: (file: File) => Promise<unknown>
  /** The button's label; null: there is nothing to import, or the file has errors. */
  verb: (report: Report) => string | null
  /** The notable findings in the file. */
  report: (report: Report) => ReactNode
  /** Below the drop area. */
  help?: ReactNode
  onClose: () => void
}

/** Checks a file before anything is written, then imports it. */
export function FileImportDialog<Report>(props: Props<Report>) {
  const { title, explain, words, mostBytes, verb, report, help, onClose } = props
  const { t } = useTranslation()
  const [file, setFile] = useState<File | null>(null)
  const check = useMutation({
    mutationFn: (chosen: File) => {
      if (chosen.size > mostBytes) throw new Refusal(413, 'request.too-large', t('errors.request.too-large'))
      return props.check(chosen)
    },
  })
  const run = useMutation({ mutationFn: props.run, onSuccess: onClose })
  const choose = (chosen: File) => {
    run.reset()
    setFile(chosen)
    check.mutate(chosen)
  }
  const error = run.error ?? check.error
  const isBusy = check.isPending || run.isPending
  const label = check.data === undefined ? null : verb(check.data)
  return (
    <Dialog
      title={title}
      size="wide"
      onClose={onClose}
      actions={
        <>
          <LeaveButton onLeave={onClose} />
          {file && label && (
            <button
              type="button"
              className="button button-primary"
              aria-disabled={isBusy || undefined}
              onClick={() => !isBusy && run.mutate(file)}
            >
              {label}
            </button>
          )}
        </>
      }
    >
      <div className="file-import">
        <p className="muted">{explain}</p>
        <FileDrop
          label={words.choose}
          text={words.drop}
          choose={check.isPending ? words.reading : words.choose}
          hint={words.limits}
          accept=".csv,.xlsx,.txt,text/csv"
          isBusy={isBusy}
          onFiles={([chosen]) => chosen && choose(chosen)}
        />
        {help}
        <FailureLine error={error} />
        {check.data !== undefined && report(check.data)}
      </div>
    </Dialog>
  )
}
