import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PasswordPolicy } from '#shared/contract/passwords.ts'
import type { UserInformation } from '#shared/contract/sessions.ts'
import { failureText } from '../../platform/failure-text.ts'
import { useUser } from '../../platform/session.ts'
import { PAGE_TITLE, PageTitle } from '../../ui/PageTitle.tsx'
import { PolicyGate } from '../../ui/PolicyGate.tsx'
import { RefusalLine, SubmitForm } from '../../ui/SubmitForm.tsx'
import { ChangePasswordFields, isPasswordFieldError } from './ChangePasswordFields.tsx'
import { useChangePassword } from './use-change-password.ts'

/** `/modify-password`: changes my password, then says what else changed. */
export function ModifyPasswordPage() {
  const user = useUser()
  const [ended, setEnded] = useState<number | null>(null)
  if (!user) return null
  return (
    <div className="page page-narrow">
      {ended === null ? (
        <PolicyGate>{(policy) => <ModifyPasswordForm user={user} policy={policy} onDone={setEnded} />}</PolicyGate>
      ) : (
        <PasswordChanged ended={ended} />
      )}
    </div>
  )
}

type FormProps = { user: UserInformation; policy: PasswordPolicy; onDone: (ended: number) => void }

function ModifyPasswordForm({ user, policy, onDone }: FormProps) {
  const { t } = useTranslation()
  const changing = useChangePassword({ user, policy, onDone })
  const { change, isReady } = changing
  const { error } = change
  return (
    <SubmitForm
      className="card form-card"
      isReady={isReady}
      isBusy={change.isPending}
      error={error}
      onSubmit={() => change.mutate()}
    >
      {(submitted) => (
        <>
          <PageTitle>{t('modify-password.title')}</PageTitle>
          <p className="muted">{t('modify-password.consequence')}</p>
          <ChangePasswordFields user={user} policy={policy} changing={changing} submitted={submitted} />
          {error && !isPasswordFieldError(error) && <RefusalLine>{failureText(error)}</RefusalLine>}
          <div className="form-actions">
            <button type="submit" className="button button-primary" aria-disabled={change.isPending}>
              {t('modify-password.submit')}
            </button>
            <Link to="/account-security/set-account" className="button">
              {t('action.cancel')}
            </Link>
          </div>
        </>
      )}
    </SubmitForm>
  )
}

function PasswordChanged({ ended }: { ended: number }) {
  const { t } = useTranslation()
  useEffect(() => document.getElementById(PAGE_TITLE)?.focus(), [])
  return (
    <div className="card form-card" role="status">
      <PageTitle>{t('modify-password.done')}</PageTitle>
      <p>{t('modify-password.ended', { count: ended })}</p>
      <p className="muted">{t('modify-password.told')}</p>
      <div className="form-actions">
        <Link to="/account-security/set-account" className="button button-primary">
          {t('modify-password.go-on')}
        </Link>
      </div>
    </div>
  )
}
