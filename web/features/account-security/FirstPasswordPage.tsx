import { useMutation } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type PasswordPolicy, updatePassword } from '#shared/contract/passwords.ts'
import type { UserInformation } from '#shared/contract/sessions.ts'
import { call } from '../../platform/api.ts'
import { logOut } from '../../platform/log-out.ts'
import { mustChangePassword, storeSession, useUser } from '../../platform/session.ts'
import { ManagerName } from '../../ui/ManagerName.tsx'
import { NewPassword } from '../../ui/NewPassword.tsx'
import { PAGE_TITLE, PageTitle } from '../../ui/PageTitle.tsx'
import { PolicyGate } from '../../ui/PolicyGate.tsx'
import { SubmitForm } from '../../ui/SubmitForm.tsx'
import { useNewPassword } from '../../ui/use-new-password.ts'

/** `/forgot-password?type=2`: the password of a first login. Nothing else works before; the way out is to log out. */
export function FirstPasswordPage() {
  const user = useUser()
  const [done, setDone] = useState(!mustChangePassword())
  if (!user) return null
  if (done) return <PasswordSet />
  return (
    <PolicyGate>
      {(policy) => <FirstPasswordForm user={user} policy={policy} onDone={() => setDone(true)} />}
    </PolicyGate>
  )
}

type FormProps = { user: UserInformation; policy: PasswordPolicy; onDone: () => void }

function FirstPasswordForm({ user, policy, onDone }: FormProps) {
  const { t } = useTranslation()
  const { value, setValue, ownWords, isReadyFor } = useNewPassword([user.account, user.name])
  const change = useMutation({
    mutationFn: () => call(updatePassword, { query: { id: user.userId }, body: { newPassword: value.password } }),
    onSuccess: ({ token }) => {
      storeSession(token, { ...user, firstLogin: '0' })
      onDone()
    },
  })
  return (
    <SubmitForm
      className="card form-card"
      isReady={isReadyFor(policy)}
      isBusy={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate()}
    >
      {(submitted) => (
        <>
          <PageTitle>{t('set-password.title')}</PageTitle>
          <p>{t('set-password.why')}</p>
          <p className="muted">{t('set-password.for', { account: user.account })}</p>
          <ManagerName account={user.account} />
          <NewPassword
            value={value}
            rules={policy}
            history={policy.passwordHistory}
            ownWords={ownWords}
            error={change.error?.message}
            submitted={submitted}
            onChange={setValue}
          />
          <div className="form-actions">
            <button type="submit" className="button button-primary" aria-disabled={change.isPending}>
              {t('set-password.submit')}
            </button>
            <button type="button" className="button" onClick={() => void logOut()}>
              {t('action.log-out')}
            </button>
          </div>
        </>
      )}
    </SubmitForm>
  )
}

/** Says what changed; goes on to the application that the person came for. The server decides whether it is one. */
function PasswordSet() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { service } = useSearch({ strict: false }) as { service?: string }
  useEffect(() => document.getElementById(PAGE_TITLE)?.focus(), [])
  const goOn = () => {
    if (service) location.assign(`/fwk_cas_service/login?service=${encodeURIComponent(service)}`)
    else void navigate({ to: '/my-apps' })
  }
  return (
    <div className="card form-card" role="status">
      <PageTitle>{t('set-password.done.title')}</PageTitle>
      <p className="muted">{t('set-password.done.text')}</p>
      <div className="form-actions">
        <button type="button" className="button button-primary" onClick={goOn}>
          {t('set-password.done.go-on')}
        </button>
      </div>
    </div>
  )
}
