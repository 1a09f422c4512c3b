import { type KeyboardEvent, useState } from 'react'
import { useIsHydrated, useLight } from './light-page.tsx'

type Props = { missing: boolean; wrong: boolean; focused: boolean }

/** The password field with its visibility toggle and a Caps Lock warning. */
export function PasswordField({ missing, wrong, focused }: Props) {
  const { t } = useLight()
  const live = useIsHydrated()
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <div className="field">
      <label htmlFor="password">{t('login.password')}</label>
      <div className="box">
        <input
          className="input"
          id="password"
          name="password"
          type={shown ? 'text' : 'password'}
          autoComplete="current-password"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={1024}
          required
          // biome-ignore lint/a11y/noAutofocus: after a refusal the account stands, and the password is what is left to type.
          autoFocus={focused}
          aria-invalid={missing || undefined}
          aria-describedby={missing ? 'password-missing' : wrong ? 'login-problem' : undefined}
          onKeyDown={watchCapsLock}
          onKeyUp={watchCapsLock}
          onBlur={() => setCapsLock(false)}
        />
        {live && (
          <button
            type="button"
            className="reveal-button"
            aria-pressed={shown}
            aria-label={t('login.show-password')}
            onClick={() => setShown(!shown)}
          >
            {t(shown ? 'login.hide' : 'login.show')}
          </button>
        )}
      </div>
      {missing && (
        <p className="hint wrong" id="password-missing">
          {t('login.missing-password')}
        </p>
      )}
      <p className="hint" role="status" hidden={!capsLock}>
        {capsLock && t('login.caps-lock')}
      </p>
    </div>
  )
}
