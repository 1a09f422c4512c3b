import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryPasswordPolicy, updatePassword } from '#shared/contract/passwords.ts'
import type { UserInformation } from '#shared/contract/sessions.ts'
import { call } from '../../platform/api.ts'
import { logOut } from '../../platform/log-out.ts'
import { mustChangePassword, storeSession, useUser } from '../../platform/session.ts'
import { isNewPasswordReady, NewPassword } from '../../ui/NewPassword.tsx'
import { Waiting } from '../../ui/PageSkeleton.tsx'
import { PAGE_TITLE, PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { useSubmitted } from '../../ui/use-submitted.ts'

/** `/forgot-password?type=2`: the password of a first login. Nothing else works before; the way out is to log out. */
export function FirstPasswordPage() {
  const user = useUser()
  const [done, setDone] = useState(!mustChangePassword())
  const policy = useQuery({ queryKey: ['password-policy'], queryFn: () => call(queryPasswordPolicy) })
  if (!user) return null
  if (done) return <PasswordSet />
  if (policy.isError) return <FailedBlock error={policy.error} onRetry={() => void policy.refetch()} />
  if (!policy.data) return <Waiting lines={5} />
  return <FirstPasswordForm user={user} policy={policy.data} onDone={() => setDone(true)} />
}

type FormProps = {
  user: UserInformation
  policy: { passwordMinLength: number; passwordMaxLength: number; passwordLevel: number; passwordHistory: number }
  onDone: () => void
}

function FirstPasswordForm({ user, policy, onDone }: FormProps) {
  const { t } = useTranslation()
  const [value, setValue] = useState({ password: '', repeated: '' })
  const { ref, submitted, refuse } = useSubmitted()
  const ownWords = [user.account, user.name]
  const ready = isNewPasswordReady(value, policy, ownWords)
  const change = useMutation({
    mutationFn: () => call(updatePassword, { query: { id: user.userId }, body: { newPassword: value.password } }),
    onSuccess: ({ token }) => {
      storeSession(token, { ...user, firstLogin: '0' })
      onDone()
    },
  })
  return (
    <form
      ref={ref}
      className="card form-card"
      onSubmit={(event) => {
        event.preventDefault()
        if (!ready) refuse()
        else if (!change.isPending) change.mutate()
      }}
    >
      <PageTitle>{t('set-password.title')}</PageTitle>
      <p>{t('set-password.why')}</p>
      <p className="muted">{t('set-password.for', { account: user.account })}</p>
      {/* For password managers, which keep a new password under the name beside it. */}
      <input
        type="text"
        className="visually-hidden"
        autoComplete="username"
        value={user.account}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
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
    </form>
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
