import type { RefObject } from 'react'
import type { LoginPage } from '#shared/contract/light-page.ts'
import { useIsHydrated, useLight } from './light-page.tsx'
import { problemText } from './submit-login.ts'
import { usePasskey } from './use-passkey.ts'

type Props = { page: LoginPage; form: RefObject<HTMLFormElement | null> }

/**
 * A login without name and password; the passkey script is loaded on demand. Until this script runs the button is an
 * invisible placeholder, so that nothing moves.
 */
export function PasskeyLogin({ page, form }: Props) {
  const { t, surroundings } = useLight()
  const live = useIsHydrated()
  const { busy, problem, ask } = usePasskey(page, form)
  if (live && !('PublicKeyCredential' in window)) return null
  return (
    <div className={live ? 'passkey-login' : 'passkey-login not-yet'}>
      <button type="button" className="button wide" aria-disabled={busy} onClick={() => void ask()}>
        {t(busy ? 'second-factor.waiting' : 'login.passkey')}
      </button>
      <p className="hint wrong" role="status">
        {problem && problemText(problem, surroundings)}
      </p>
    </div>
  )
}
