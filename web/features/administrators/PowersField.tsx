import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { POWERS, type Power } from '#shared/contract/powers.ts'
import './administrators.css'

/** What an administrator may do, each with what it means. */
export function PowersField({ value, onChange }: { value: readonly Power[]; onChange: (value: Power[]) => void }) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <fieldset className="powers">
      <legend>{t('administrator.powers')}</legend>
      <p className="muted">{t('administrator.powers.explain')}</p>
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
