import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { completeSetup, setupState } from '#shared/contract/setup.ts'
import { call } from '../../platform/api.ts'
import { currentLanguage } from '../../platform/i18n.ts'
import { loginAddress } from '../../platform/login-address.ts'
import { queryClient } from '../../platform/queries.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { Waiting } from '../../ui/PageSkeleton.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { useSubmitted } from '../../ui/use-submitted.ts'
import { type Administrator, AdministratorFields, isAdministratorReady } from './AdministratorFields.tsx'
import { Environment } from './Environment.tsx'
import { type Institution, InstitutionFields } from './InstitutionFields.tsx'
import '../../ui/form-card.css'

/** The token stands behind `#`, so that it reaches no log of any server on the way. */
const token = location.hash.slice(1)
// A link pasted over a wrong one changes only what stands behind `#`, which loads nothing by itself.
addEventListener('hashchange', () => location.reload())

/** First run: the first administrator and what the institution is called. */
export function SetupPage() {
  const { t } = useTranslation()
  const state = useQuery({
    queryKey: ['setup'],
    queryFn: () => call(setupState, { body: { token } }),
    enabled: token !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [done, setDone] = useState(false)
  if (done) return <SetupDone />
  if (token === '' || isRefusal(state.error, 'setup.link-invalid') || isRefusal(state.error, 'request.invalid')) {
    return <Told title={t('setup.no-link.title')} text={t('setup.no-link.text')} />
  }
  if (isRefusal(state.error, 'setup.closed')) return <Told title={t('setup.title')} text={state.error.message} />
  if (state.isError) return <FailedBlock error={state.error} onRetry={() => void state.refetch()} />
  if (!state.data) return <Waiting lines={5} />
  return (
    <>
      <PageTitle>{t('setup.title')}</PageTitle>
      <p className="muted">{t('setup.welcome')}</p>
      <Environment publicUrl={state.data.publicUrl} https={state.data.https} />
      <SetupForm rules={state.data} onDone={() => setDone(true)} />
    </>
  )
}

type Rules = { passwordMinLength: number; passwordMaxLength: number; passwordLevel: number }

function SetupForm({ rules, onDone }: { rules: Rules; onDone: () => void }) {
  const { t } = useTranslation()
  const [administrator, setAdministrator] = useState<Administrator>({
    account: '',
    name: '',
    password: '',
    repeated: '',
  })
  const [institution, setInstitution] = useState<Institution>({ name: '', contact: '', logo: null })
  const complete = useMutation({
    mutationFn: () => {
      const { account, name, password } = administrator
      const inLanguage = (text: string) => (text.trim() ? { [currentLanguage()]: text.trim() } : {})
      return call(completeSetup, {
        body: {
          token,
          administrator: { account: account.trim(), name: name.trim(), password },
          institution: {
            names: inLanguage(institution.name),
            contacts: inLanguage(institution.contact),
            logo: institution.logo,
          },
        },
      })
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['gateway'] })
      onDone()
    },
  })
  const { ref, submitted, refuse } = useSubmitted()
  const passwordError = isRefusal(complete.error, 'password.too-weak') ? complete.error.message : undefined
  return (
    <form
      ref={ref}
      className="card form-card"
      // The browser's own words would come in its language, not in the page's.
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isAdministratorReady(administrator, rules)) refuse()
        else if (!complete.isPending) complete.mutate()
      }}
    >
      <AdministratorFields
        value={administrator}
        rules={rules}
        passwordError={passwordError}
        submitted={submitted}
        onChange={setAdministrator}
      />
      <InstitutionFields value={institution} onChange={setInstitution} />
      {complete.isError && !passwordError && (
        <p className="banner banner-danger" role="alert">
          {complete.error.message}
        </p>
      )}
      <div className="form-actions">
        <button type="submit" className="button button-primary" aria-disabled={complete.isPending}>
          {t('setup.submit')}
        </button>
      </div>
    </form>
  )
}

function Told({ title, text }: { title: string; text: string }) {
  return (
    <div className="card form-card">
      <PageTitle>{title}</PageTitle>
      <p className="muted">{text}</p>
      <div className="form-actions">
        <LogInLink />
      </div>
    </div>
  )
}

function SetupDone() {
  const { t } = useTranslation()
  return (
    <div className="card form-card" role="status">
      <PageTitle>{t('setup.done.title')}</PageTitle>
      <p className="muted">{t('setup.done.text')}</p>
      <div className="form-actions">
        <LogInLink />
      </div>
    </div>
  )
}

function LogInLink() {
  const { t } = useTranslation()
  return (
    <a className="button button-primary" href={loginAddress(`${location.origin}/auth_web/`)}>
      {t('action.log-in')}
    </a>
  )
}
