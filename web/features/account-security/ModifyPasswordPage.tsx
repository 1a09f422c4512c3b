import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PasswordPolicy } from '#shared/contract/passwords.ts'
import type { UserInformation } from '#shared/contract/sessions.ts'
import { useUser } from '../../platform/session.ts'
import { Waiting } from '../../ui/PageSkeleton.tsx'
import { PAGE_TITLE, PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { useSubmitted } from '../../ui/use-submitted.ts'
import { ChangePasswordFields, passwordRefusalTold } from './ChangePasswordFields.tsx'
import { useChangePassword, usePasswordPolicy } from './use-change-password.ts'

/** `/modify-password`: changes my password; then says what else that did. */
export function ModifyPasswordPage() {
  const user = useUser()
  const policy = usePasswordPolicy()
  const [ended, setEnded] = useState<number | null>(null)
  if (!user) return null
  return (
    <div className="page page-narrow">
      {ended !== null && <Changed ended={ended} />}
      {ended === null && policy.isError && <FailedBlock error={policy.error} onRetry={() => void policy.refetch()} />}
      {ended === null && policy.isPending && <Waiting lines={6} />}
      {ended === null && policy.data && <Form user={user} policy={policy.data} onDone={setEnded} />}
    </div>
  )
}

type FormProps = { user: UserInformation; policy: PasswordPolicy; onDone: (ended: number) => void }

function Form({ user, policy, onDone }: FormProps) {
  const { t } = useTranslation()
  const { ref, submitted, refuse } = useSubmitted()
  const changing = useChangePassword({ user, policy, onDone })
  const { change, isReady } = changing
  const { error } = change
  useEffect(() => {
    if (error) ref.current?.querySelector<HTMLElement>('[aria-invalid], [data-refusal]')?.focus()
  }, [error, ref])
  return (
    <form
      ref={ref}
      className="card form-card"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReady) refuse()
        else if (!change.isPending) change.mutate()
      }}
    >
      <PageTitle>{t('modify-password.title')}</PageTitle>
      <p className="muted">{t('modify-password.consequence')}</p>
      <ChangePasswordFields user={user} policy={policy} changing={changing} submitted={submitted} />
      {error && !passwordRefusalTold(error) && (
        <p className="field-error" role="alert" tabIndex={-1} data-refusal>
          {error.message}
        </p>
      )}
      <div className="form-actions">
        <button type="submit" className="button button-primary" aria-disabled={change.isPending}>
          {t('modify-password.submit')}
        </button>
        <Link to="/account-security/set-account" className="button">
          {t('action.cancel')}
        </Link>
      </div>
    </form>
  )
}

function Changed({ ended }: { ended: number }) {
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
