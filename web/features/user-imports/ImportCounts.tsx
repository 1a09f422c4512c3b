import { useTranslation } from 'react-i18next'
import type { ImportRun } from '#shared/contract/user-imports.ts'

const TONES = { new: 'well', changed: 'primary', unchanged: 'muted', bad: 'danger' } as const

/** How many rows are what; a number with a word each. */
export function ImportCounts({ counts }: { counts: ImportRun['counts'] }) {
  const { t, i18n } = useTranslation()
  const numbers = new Intl.NumberFormat(i18n.language.replace('_', '-'))
  return (
    <ul className="import-counts">
      {(Object.keys(TONES) as (keyof typeof TONES)[]).map((outcome) => (
        <li key={outcome} className={`import-count import-count-${TONES[outcome]}`}>
          <strong className="tabular">{numbers.format(counts[outcome])}</strong>
          <span>{t(`import.outcome.${outcome}`)}</span>
        </li>
      ))}
    </ul>
  )
}
