import { useTranslation } from 'react-i18next'
import type { BookRun } from '#shared/contract/address-books.ts'
import type { SyncRunBase } from '#shared/contract/sync-runs.ts'
import { useCount } from '../../platform/format-number.ts'

type Props = { run: Pick<SyncRunBase, 'state' | 'progress'> & Partial<Pick<BookRun, 'toWrite' | 'tried'>> }

/** How far a run has got while it writes or undoes, or got before it was cut off. */
export function RunProgress({ run: { state, progress, toWrite = 0, tried = 0 } }: Props) {
  const { t } = useTranslation()
  const number = useCount()
  if (progress) {
    const { done, total } = progress
    const percent = total > 0 ? Math.floor((done / total) * 100) : 0
    return (
      <span className="run-progress">
        <progress max={100} value={percent} aria-label={t(`directory-sync.state.${state}`)} />
        <span className="muted tabular">
          {t('task.progress', { done: number(done), total: number(total), percent })}
        </span>
      </span>
    )
  }
  const isCutOff = (state === 'failed' || state === 'cancelled') && tried < toWrite
  return isCutOff ? (
    <p className="caution-note">{t('book-sync.cut-off', { done: number(tried), total: number(toWrite) })}</p>
  ) : null
}
