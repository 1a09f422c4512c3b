import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { POWERS, type Power } from '#shared/contract/powers.ts'
import './administrators.css'

/** Typical sets of permissions; each has the message `power-preset.<name>`. */
const PRESETS: readonly (readonly ['look' | 'help-desk' | 'staff' | 'applications' | 'all', readonly Power[]])[] = [
  ['look', []],
  ['help-desk', ['unlock', 'reset']],
  ['staff', ['edit', 'import']],
  ['applications', ['authorise']],
  ['all', POWERS],
]

const isSame = (powers: readonly Power[], value: readonly Power[]): boolean =>
  powers.length === value.length && powers.every((power) => value.includes(power))

/** The permissions of an administrator, each explained. */
export function PowersField({ value, onChange }: { value: readonly Power[]; onChange: (value: Power[]) => void }) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <fieldset className="powers">
      <legend>{t('administrator.powers')}</legend>
      <p className="muted">{t('administrator.powers.explain')}</p>
      <div className="power-presets">
        {PRESETS.map(([preset, powers]) => (
          <button
            key={preset}
            type="button"
            className="button"
            aria-pressed={isSame(powers, value)}
            onClick={() => onChange([...powers])}
          >
            {t(`power-preset.${preset}`)}
          </button>
        ))}
      </div>
      {POWERS.map((power) => (
        <div key={power} className="power">
          <input
            type="checkbox"
            id={`${id}-${power}`}
            checked={value.includes(power)}
            aria-describedby={`${id}-${power}-text`}
            onChange={({ target }) =>
              onChange(POWERS.filter((one) => (one === power ? target.checked : value.includes(one))))
            }
          />
          <label htmlFor={`${id}-${power}`}>{t(`power.${power}`)}</label>
          <p className="muted" id={`${id}-${power}-text`}>
            {t(`power.${power}.text`)}
          </p>
        </div>
      ))}
    </fieldset>
  )
}
