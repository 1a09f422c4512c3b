import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from './Field.tsx'
import { useFixedReason } from './fixed-field.ts'
import { Icon } from './Icon.tsx'
import './form-card.css'

type Props = {
  label: string
  value: string
  autoComplete: 'new-password' | 'current-password'
  error?: string | undefined
  hint?: string | undefined
  isOptional?: boolean | undefined
  /** Takes the focus when its dialog opens. */
  firstFocus?: boolean
  onChange: (value: string) => void
  onBlur?: () => void
}

/** A password field with a visibility toggle and a Caps Lock warning. */
export function PasswordField(props: Props) {
  const { label, value, autoComplete, error, hint, isOptional, firstFocus, onChange, onBlur } = props
  const { t } = useTranslation()
  const [shown, setShown] = useState(false)
  const [caps, setCaps] = useState(false)
  const isFixed = useFixedReason() !== undefined
  return (
    <Field label={label} error={error} hint={caps ? t('password.caps-lock') : hint} isOptional={isOptional}>
      {(aria) => (
        <span className="password-row">
          <input
            {...aria}
            className="input"
            type={shown ? 'text' : 'password'}
            value={value}
            autoComplete={autoComplete}
            autoCapitalize="off"
            spellCheck={false}
            maxLength={1024}
            readOnly={isFixed}
            data-first-focus={firstFocus}
            onChange={(event) => onChange(event.target.value)}
            onKeyUp={(event) => setCaps(event.getModifierState('CapsLock'))}
            onBlur={onBlur}
          />
          <button
            type="button"
            className="password-eye"
            aria-label={t('password.show')}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            <Icon name={shown ? 'eye-off' : 'eye'} />
          </button>
        </span>
      )}
    </Field>
  )
}
