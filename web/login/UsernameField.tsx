import type { LoginPage, LoginType } from '#shared/contract/light-page.ts'
import { useLight } from './light-page.tsx'

type Props = { page: LoginPage; type: LoginType; missing: boolean; wrong: boolean }

/** The input, keyboard and autocomplete attributes of the login type. */
function inputAttributes(type: LoginType, channels: LoginPage['codeChannels']) {
  if (type === 'user') return { name: 'username', autoComplete: 'username', inputMode: 'text' } as const
  if (channels.length > 1) return { name: 'target', autoComplete: 'username', inputMode: 'email' } as const
  if (channels[0] === 'sms') return { name: 'phone', autoComplete: 'tel', inputMode: 'tel' } as const
  return { name: 'mailbox', autoComplete: 'email', inputMode: 'email' } as const
}

/** The login name: any name for a password, the phone or email address for a code. Switching keeps the input. */
export function UsernameField({ page, type, missing, wrong }: Props) {
  const { t } = useLight()
  const { name, autoComplete, inputMode } = inputAttributes(type, page.codeChannels)
  return (
    <div className="field">
      <label htmlFor="username">{t(`login.${name}`)}</label>
      <div className="box">
        <input
          className="input"
          id="username"
          name="username"
          type="text"
          inputMode={inputMode}
          autoComplete={page.passkey ? `${autoComplete} webauthn` : autoComplete}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={256}
          required
          // biome-ignore lint/a11y/noAutofocus: the one purpose of this page is to type here.
          autoFocus={page.username === ''}
          defaultValue={page.username}
          aria-invalid={missing || undefined}
          aria-describedby={missing ? 'username-missing' : wrong ? 'login-problem' : undefined}
        />
      </div>
      {missing && (
        <p className="hint wrong" id="username-missing">
          {t(`login.missing-${name}`)}
        </p>
      )}
    </div>
  )
}
