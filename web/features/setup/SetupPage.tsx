import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { setupState } from '#shared/contract/setup.ts'
import { call } from '../../platform/api.ts'
import { loginUrl } from '../../platform/login-url.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { PAGE_TITLE, PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { Environment } from './Environment.tsx'
import { SetupForm } from './SetupForm.tsx'
import '../../ui/form-card.css'

/** In the fragment, so that no log on the way contains it. */
const token = location.hash.slice(1)
// Pasting a correct link over a wrong one changes only the fragment, which does not reload the page.
addEventListener('hashchange', () => location.reload())

/** First run: the first administrator, the institution's name, and the gateways. */
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
    return <NoticeCard title={t('setup.no-link.title')} text={t('setup.no-link.text')} />
  }
  if (isRefusal(state.error, 'setup.closed')) return <NoticeCard title={t('setup.title')} text={state.error.message} />
  if (state.isError) return <FailedBlock error={state.error} onRetry={() => void state.refetch()} />
  if (!state.data) return <Skeleton lines={5} />
  return (
    <>
      <PageTitle>{t('setup.title')}</PageTitle>
      <p className="muted">{t('setup.welcome')}</p>
      <Environment publicUrl={state.data.publicUrl} https={state.data.https} />
      <SetupForm token={token} rules={state.data} setByFile={state.data.setByFile} onDone={() => setDone(true)} />
    </>
  )
}

function NoticeCard({ title, text }: { title: string; text: string }) {
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
  // The pressed button is gone, and the focus with it.
  useEffect(() => document.getElementById(PAGE_TITLE)?.focus(), [])
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
    <a className="button button-primary" href={loginUrl(`${location.origin}/auth_web/`)}>
      {t('action.log-in')}
    </a>
  )
}
