import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type FreezeListAnswer, freezeListed } from '#shared/contract/account-holds.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { notify } from '../../platform/notices.ts'
import { Refusal } from '../../platform/refusal.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { tellLeftFailure, useGone } from '../../ui/left-request.ts'
import { TextAreaField } from '../../ui/TextAreaField.tsx'
import { refreshPeople } from './people-queries.ts'
import { EMPTY_VERB_DRAFT, type VerbDraft, VerbFields } from './VerbFields.tsx'
import './users.css'

const MAX_ACCOUNTS = 10_000

type Draft = VerbDraft & { numbers: string }
const EMPTY: Draft = { ...EMPTY_VERB_DRAFT, numbers: '' }

/** One account per line, as copied from a sheet: further columns and empty lines are ignored. */
const toLines = (numbers: string): { row: number; account: string }[] =>
  numbers.split(/\r?\n/).flatMap((line, at) => {
    const account = line.split(/[\t,，;；]/)[0]?.trim()
    return account ? [{ row: at + 1, account }] : []
  })
const toAccounts = (numbers: string): string[] => toLines(numbers).map(({ account }) => account)

function askFreeze({ numbers, cause, from, until, reason, note }: Draft, dryRun: boolean): Promise<FreezeListAnswer> {
  const more = { ...(from && { from }), ...(until && { until }), ...(reason && { reason }), ...(note && { note }) }
  return call(freezeListed, { body: { accounts: toAccounts(numbers), cause: cause || 'other', dryRun, ...more } })
}

type Props = { onClose: () => void; onTask: (id: string) => void }

/** Freezes people whose accounts are pasted: shows the effect on each line first. */
export function FreezeListDialog({ onClose, onTask }: Props) {
  const [draft, setDraft] = useState(EMPTY)
  const [found, setFound] = useState<FreezeListAnswer | null>(null)
  if (!found) return <NumbersForm draft={draft} onChange={setDraft} onFound={setFound} onClose={onClose} />
  return (
    <ReportDialog
      draft={draft}
      found={found}
      onBack={() => setFound(null)}
      onClose={onClose}
      onTask={(id) => {
        onClose()
        onTask(id)
      }}
    />
  )
}

type FormProps = {
  draft: Draft
  onChange: (draft: Draft) => void
  onFound: (answer: FreezeListAnswer) => void
  onClose: () => void
}

function NumbersForm({ draft, onChange, onFound, onClose }: FormProps) {
  const { t } = useTranslation()
  // The form closes on submit; then the report follows.
  const isFound = useRef(false)
  const count = toAccounts(draft.numbers).length
  const tooMany = t('freeze-account.too-many', { count: MAX_ACCOUNTS })
  const check = async () => {
    const reason = count === 0 ? t('form.required') : count > MAX_ACCOUNTS ? tooMany : null
    if (reason) throw new Refusal(0, 'request.invalid', reason, { data: { fields: [{ field: 'accounts', reason }] } })
    const answer = await askFreeze(draft, true)
    isFound.current = true
    onFound(answer)
  }
  return (
    <FormDialog
      title={t('freeze-account.freeze-list')}
      verb={t('freeze-account.check')}
      isDirty={JSON.stringify(draft) !== JSON.stringify(EMPTY)}
      onSubmit={check}
      onClose={() => {
        if (!isFound.current) onClose()
      }}
    >
      <TextAreaField
        label={t('freeze-account.numbers')}
        name="accounts"
        hint={count > MAX_ACCOUNTS ? tooMany : t('freeze-account.numbers-hint', { count })}
        rows={6}
        value={draft.numbers}
        onChange={(numbers) => onChange({ ...draft, numbers })}
      />
      <VerbFields verb="freeze" more={draft} onChange={onChange} />
    </FormDialog>
  )
}

type ReportProps = {
  draft: Draft
  found: FreezeListAnswer
  onBack: () => void
  onClose: () => void
  onTask: (id: string) => void
}

/** The effect on each line, and the button to apply it. */
function ReportDialog({ draft, found, onBack, onClose, onTask }: ReportProps) {
  const { t } = useTranslation()
  const { busy, error, freeze } = useFreeze(draft, { onClose, onTask })
  return (
    <Dialog
      title={t('freeze-account.report', { count: found.changed })}
      // What was pasted is kept.
      onClose={onBack}
      actions={
        <>
          <button type="button" className="button" data-first-focus onClick={onBack}>
            {t('action.back')}
          </button>
          {found.changed > 0 && (
            <button
              type="button"
              className="button button-danger"
              aria-disabled={busy || undefined}
              onClick={() => void freeze()}
            >
              {t('freeze-account.freeze-count', { count: found.changed })}
            </button>
          )}
        </>
      }
    >
      <p>{t('person.effect.freeze')}</p>
      <RowReport rows={found.rows} lines={toLines(draft.numbers).map(({ row }) => row)} />
      {error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </Dialog>
  )
}

function useFreeze(draft: Draft, { onClose, onTask }: Props) {
  const { t } = useTranslation()
  const [state, setState] = useState<{ busy: boolean; error?: string }>({ busy: false })
  const gone = useGone()
  const freeze = async () => {
    if (state.busy) return
    setState({ busy: true })
    try {
      const { changed, taskId } = await askFreeze(draft, false)
      await refreshPeople()
      if (taskId) return onTask(taskId)
      notify('well', t('person.done.freeze', { count: changed }))
      onClose()
    } catch (error) {
      setState({ busy: false, error: failureText(error) })
      if (gone.current) tellLeftFailure(t('freeze-account.title'), error)
    }
  }
  return { ...state, freeze }
}

type Rows = FreezeListAnswer['rows']
/** `lines`: the position of each row in the pasted text. */
type RowsProps = { rows: Rows; lines: readonly number[] }

/** The lines that replace another freeze, and those without effect, each with the reason; the others are only counted. */
function RowReport({ rows, lines }: RowsProps) {
  const { t } = useTranslation()
  const replacing = rows.filter(({ replaces }) => replaces)
  const left = rows.filter(({ status }) => status !== 'changed')
  return (
    <>
      {replacing.length > 0 && (
        <>
          <p>{t('freeze-account.replacing', { count: replacing.length })}</p>
          <RowList rows={replacing} lines={lines} />
        </>
      )}
      {left.length > 0 && (
        <>
          <p>{t('freeze-account.left', { count: left.length })}</p>
          <RowList rows={left} lines={lines} />
        </>
      )}
    </>
  )
}

function RowList({ rows, lines }: RowsProps) {
  const { t } = useTranslation()
  return (
    <ul className="person-refused">
      {rows.map(({ row, account, name, status, message }) => (
        <li key={row}>
          <strong>
            {t('freeze-account.row', {
              row: lines[row - 1] ?? row,
              account: [account, name].filter(Boolean).join(' '),
            })}
          </strong>{' '}
          {message ?? t(`freeze-row.${status}`)}
        </li>
      ))}
    </ul>
  )
}
