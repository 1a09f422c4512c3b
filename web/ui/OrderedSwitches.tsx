import { useTranslation } from 'react-i18next'
import { Switch } from './Switch.tsx'
import './ordered-switches.css'

type Props<Key extends string> = {
  legend: string
  hint?: string
  /** In their order. */
  rows: readonly { key: Key; label: string; isOn: boolean; isFixed?: boolean; canMove?: boolean }[]
  disabled?: boolean
  onToggle: (key: Key, isOn: boolean) => void
  /** All keys in their new order. */
  onMove: (keys: Key[]) => void
}

/** Parts that are shown or not, in an order that is changed step by step: by keyboard, finger and mouse alike. */
export function OrderedSwitches<Key extends string>(props: Props<Key>) {
  const { legend, hint, rows, disabled = false, onToggle, onMove } = props
  const { t } = useTranslation()
  const keys = rows.map(({ key }) => key)
  return (
    <fieldset disabled={disabled}>
      <legend>{legend}</legend>
      {hint && <p className="muted">{hint}</p>}
      <ul className="ordered-switches">
        {rows.map(({ key, label: name, isOn, isFixed = false, canMove = true }, at) => (
          <li key={key}>
            <Switch
              label={name}
              checked={isOn}
              disabled={disabled || isFixed}
              onChange={(checked) => onToggle(key, checked)}
            />
            {at > 0 && canMove && (
              <button
                type="button"
                className="button button-quiet"
                aria-label={t('login-page-setup.up-one', { name })}
                onClick={() => onMove(keys.toSpliced(at, 1).toSpliced(at - 1, 0, key))}
              >
                {t('login-page-setup.up')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
