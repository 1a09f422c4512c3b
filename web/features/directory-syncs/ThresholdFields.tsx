import { useTranslation } from 'react-i18next'
import type { DirectorySyncFields } from '#shared/contract/directory-syncs.ts'
import { WholeNumberField } from './WholeNumberField.tsx'

type Thresholds = DirectorySyncFields['thresholds']
const NAMES = ['missing', 'changed', 'created', 'field', 'bad', 'rows'] as const

/** The limits over which a run waits for approval. */
export function ThresholdFields({ value, onChange }: { value: Thresholds; onChange: (value: Thresholds) => void }) {
  const { t } = useTranslation()
  return (
    <fieldset className="sync-fieldset">
      <legend>{t('directory-sync.thresholds')}</legend>
      <p className="muted">{t('directory-sync.thresholds-hint')}</p>
      <div className="sync-grid">
        {NAMES.map((name) => (
          <WholeNumberField
            key={name}
            label={t(`directory-sync.threshold.${name}`)}
            name={`thresholds.${name}`}
            value={value[name]}
            onChange={(next) => onChange({ ...value, [name]: next })}
          />
        ))}
      </div>
    </fieldset>
  )
}
