import { useTranslation } from 'react-i18next'
import type { BookRun } from '#shared/contract/address-books.ts'
import { useCount } from '../../platform/format-number.ts'

type Props = { run: Pick<BookRun, 'state' | 'toWrite' | 'tried'> }

/** How far a run has got while it writes, or got before it was cut off. */
export function RunProgress({ run: { state, toWrite, tried } }: Props) {
  const { t } = useTranslation()
  const number = useCount()
  const shown = { done: number(tried), total: number(toWrite) }
  if (state === 'applying') {
    const percent = toWrite > 0 ? Math.floor((tried / toWrite) * 100) : 0
    return (
      <span className="run-progress">
        <progress max={100} value={percent} aria-label={t('directory-sync.state.applying')} />
        <span className="muted tabular">{t('task.progress', { ...shown, percent })}</span>
      </span>
    )
  }
  const isCutOff = (state === 'failed' || state === 'cancelled') && tried < toWrite
  return isCutOff ? <p className="caution-note">{t('book-sync.cut-off', shown)}</p> : null
}
