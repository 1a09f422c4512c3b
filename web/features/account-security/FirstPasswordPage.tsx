import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type PasswordPolicy, updatePassword } from '#shared/contract/passwords.ts'
import type { UserInformation } from '#shared/contract/sessions.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { logOut } from '../../platform/log-out.ts'
import { storeSession, useUser } from '../../platform/session.ts'
import { ManagerName } from '../../ui/ManagerName.tsx'
import { NewPassword } from '../../ui/NewPassword.tsx'
import { PAGE_TITLE, PageTitle } from '../../ui/PageTitle.tsx'
import { PolicyGate } from '../../ui/PolicyGate.tsx'
import { SubmitForm } from '../../ui/SubmitForm.tsx'
import { useContinue } from '../../ui/use-continue.ts'
import { useNewPassword } from '../../ui/use-new-password.ts'

/** `ended`: how many other logins were ended. */
type PasswordChange = { ended: number }

/** `/forgot-password?type=2`: sets the password of a first login. Nothing else works before, except logging out. */
export function FirstPasswordPage() {
  const user = useUser()
  const [changed, setChanged] = useState<PasswordChange | null>(null)
  if (!user) return null
  if (changed) return <PasswordSet ended={changed.ended} />
  return <PolicyGate>{(policy) => <FirstPasswordForm user={user} policy={policy} onDone={setChanged} />}</PolicyGate>
}

type FormProps = { user: UserInformation; policy: PasswordPolicy; onDone: (changed: PasswordChange) => void }

function FirstPasswordForm({ user, policy, onDone }: FormProps) {
  const { t } = useTranslation()
  const { value, setValue, ownWords, isReadyFor } = useNewPassword([user.account, user.name])
  const change = useMutation({
    mutationFn: () => call(updatePassword, { query: { id: user.userId }, body: { newPassword: value.password } }),
    onSuccess: ({ token, ended }) => {
      storeSession(token, { ...user, firstLogin: '0' })
      onDone({ ended })
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
            subject={{ kind: 'session' }}
            error={failureText(change.error)}
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

/** Confirms the change and continues to the requested page. */
function PasswordSet({ ended }: PasswordChange) {
  const { t } = useTranslation()
  const goOn = useContinue()
  useEffect(() => document.getElementById(PAGE_TITLE)?.focus(), [])
  return (
    <div className="card form-card" role="status">
      <PageTitle>{t('set-password.done.title')}</PageTitle>
      <p className="muted">
        {t('set-password.done.text')}
        {ended > 0 && <> {t('modify-password.ended', { count: ended })}</>}
      </p>
      <div className="form-actions">
        <button type="button" className="button button-primary" onClick={goOn}>
          {t('set-password.done.go-on')}
        </button>
      </div>
    </div>
  )
}
