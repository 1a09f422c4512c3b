import { useTranslation } from 'react-i18next'
import type { ImportRun } from '#shared/contract/user-imports.ts'
import { useCount } from '../../platform/format-number.ts'

const TONES = { new: 'well', changed: 'primary', doubtful: 'caution', unchanged: 'muted', bad: 'danger' } as const

/** The number of rows by outcome. */
export function ImportCounts({ counts }: { counts: ImportRun['counts'] }) {
  const { t } = useTranslation()
  const number = useCount()
  return (
    <ul className="import-counts">
      {(Object.keys(TONES) as (keyof typeof TONES)[])
        .filter((outcome) => outcome !== 'doubtful' || counts.doubtful > 0)
        .map((outcome) => (
          <li key={outcome} className={`import-count import-count-${TONES[outcome]}`}>
            <strong className="tabular">{number(counts[outcome])}</strong>
            <span>{t(`import.outcome.${outcome}`)}</span>
          </li>
        ))}
    </ul>
  )
}
