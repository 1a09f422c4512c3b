import { useTranslation } from 'react-i18next'
import { RECORD_KINDS } from '#shared/contract/record-retention.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { TextField } from '../../ui/TextField.tsx'
import { type ControlProps, toNumber } from './policy-control.ts'
import './record-months.css'

const MIN_DAYS = 180
const MAX_DAYS = 3650

const isDays = (value: unknown): boolean => typeof value === 'number' && value >= MIN_DAYS && value <= MAX_DAYS

/** The retention of records, in days for each kind. */
export function RetentionField({ label, hint, name, value, onChange }: ControlProps) {
  const { t } = useTranslation()
  const days = value as Record<keyof SignInPolicy['retention'], unknown>
  return (
    <fieldset className="retention">
      <legend>{label}</legend>
      <p className="muted">{hint}</p>
      <div className="retention-kinds">
        {RECORD_KINDS.map((kind) => (
          <TextField
            key={kind}
            label={t('record-retention.days-of', { kind: t(`record-retention.kind.${kind}`) })}
            name={`${name}.${kind}`}
            value={String(days[kind])}
            error={isDays(days[kind]) ? undefined : t('login-config.bounds', { min: MIN_DAYS, max: MAX_DAYS })}
            inputMode="numeric"
            maxLength={12}
            onChange={(text) => onChange({ ...days, [kind]: toNumber(text) })}
          />
        ))}
      </div>
    </fieldset>
  )
}
