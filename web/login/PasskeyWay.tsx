import type { RefObject } from 'react'
import type { LoginPage } from '#shared/contract/light-page.ts'
import { useLight } from './light.tsx'
import { textOf } from './submit-login.ts'
import { usePasskey } from './use-passkey.ts'

type Props = { page: LoginPage; form: RefObject<HTMLFormElement | null> }

/** A login without a name and a password; the script that talks to the authenticator comes when it is needed. */
export function PasskeyWay({ page, form }: Props) {
  const { t, surroundings } = useLight()
  const { busy, problem, ask } = usePasskey(page, form)
  return (
    <div className="passkey-way">
      <button type="button" className="button wide" aria-disabled={busy} onClick={() => void ask()}>
        {t(busy ? 'second-step.waiting' : 'login.passkey')}
      </button>
      <p className="hint wrong" role="status">
        {problem && textOf(problem, surroundings)}
      </p>
    </div>
  )
}
