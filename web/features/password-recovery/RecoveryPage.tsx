import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { queryRecovery, type Recovery } from '#shared/contract/password-recovery.ts'
import { call } from '../../platform/api.ts'
import { gatewayQuery } from '../../platform/queries.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { type Step, StepList } from '../../ui/StepList.tsx'
import { AccountStep } from './AccountStep.tsx'
import { AnswersStep } from './AnswersStep.tsx'
import { CodeStep } from './CodeStep.tsx'
import { MethodStep } from './MethodStep.tsx'
import { PasswordStep } from './PasswordStep.tsx'
import type { RecoveredState } from './recovered-state.ts'
import { returnToLoginUrl } from './return-to-login.ts'
import { type RecoveryFlow, type RecoveryPosition, useRecoveryFlow } from './use-recovery-flow.ts'
import '../../ui/form-card.css'
import './password-recovery.css'

/** `/forgot-password`: account, method, verification, new password. */
export function RecoveryPage() {
  const { t } = useTranslation()
  const rules = useQuery({ queryKey: ['password-recovery'], queryFn: () => call(queryRecovery) })
  const walk = useRecoveryFlow()
  const { service } = useSearch({ strict: false }) as { service?: string }
  if (rules.isError) return <FailedBlock error={rules.error} onRetry={() => void rules.refetch()} />
  if (!rules.data) return <Skeleton lines={5} />
  const { offered, asksName } = rules.data
  return (
    <div className="steps-page">
      <PageTitle>{t('recovery.title')}</PageTitle>
      {offered && <StepList label={t('recovery.steps')} steps={toSteps(t, walk.place)} />}
      <div className="card form-card">
        {offered ? <CurrentStep walk={walk} asksName={asksName} /> : <p>{t('errors.password-recovery.not-offered')}</p>}
      </div>
      <Help loginHref={returnToLoginUrl(service)} />
    </div>
  )
}

function CurrentStep({ walk, asksName }: { walk: RecoveryFlow; asksName: boolean }) {
  const { place, recovery } = walk
  if (!recovery || place.step === 'who') return <AccountStep walk={walk} asksName={asksName} />
  return <StartedRecovery walk={walk} recovery={recovery} place={place} />
}

type StartedProps = { walk: RecoveryFlow; recovery: Recovery; place: Exclude<RecoveryPosition, { step: 'who' }> }

function StartedRecovery({ walk, recovery, place }: StartedProps) {
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as Record<string, string>
  const step = { walk, recovery }
  switch (place.step) {
    case 'method':
      return <MethodStep key="method" {...step} />
    case 'answers':
      return <AnswersStep {...step} />
    case 'target':
      return <MethodStep key="target" {...step} answered={place.answered} />
    case 'code':
      return <CodeStep key={place.method} {...step} method={place.method} answered={place.answered} />
    case 'password': {
      const done = (recovered: RecoveredState) =>
        void navigate({ to: '/forgot-password-success', search, replace: true, state: { recovered } })
      return <PasswordStep {...step} method={place.method} proof={place.proof} onDone={done} />
    }
  }
}

const STEP_ORDER = ['who', 'proof', 'password'] as const

function toSteps(t: TFunction, { step }: RecoveryPosition): Step[] {
  const current = step === 'who' || step === 'password' ? step : 'proof'
  const at = STEP_ORDER.indexOf(current)
  return STEP_ORDER.map((name, index) => ({
    name,
    label: t(`recovery.step.${name}`),
    state: index < at ? 'done' : index === at ? 'current' : 'open',
  }))
}

/** The institution's contact when no method works, and the link back to the login. */
function Help({ loginHref }: { loginHref: string }) {
  const { t } = useTranslation()
  const { data: gateway } = useQuery(gatewayQuery())
  const contact = gateway?.contact
  return (
    <p className="muted steps-help">
      <a href={loginHref}>{t('recovery.to-login')}</a>
      <span>{contact ? t('recovery.help', { contact }) : t('recovery.help-desk')}</span>
    </p>
  )
}
