import { useMutation, useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useContext, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type Activation,
  type ActivationStep,
  cancelActivation,
  type queryActivation,
} from '#shared/contract/activation.ts'
import { type CallOutput, call } from '../../platform/api.ts'
import { loginUrl } from '../../platform/login-url.ts'
import { gatewayQuery } from '../../platform/queries.ts'
import { hasStartedActivation, storeActivation } from '../../platform/session.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { type Step, StepList } from '../../ui/StepList.tsx'
import { StepTitle } from './ActivationStepForm.tsx'
import { ActivationSteps } from './ActivationSteps.tsx'
import { ActivationContext, emptyDrafts } from './activation-context.ts'
import { CodeStep, useLinkCode } from './CodeStep.tsx'
import { ActivationSummary } from './FinishStep.tsx'
import { InformationStep } from './InformationStep.tsx'
import { activationQuery, useSetActivation } from './use-activation.ts'
import '../../ui/form-card.css'
import './activation.css'

/**
 * Activates an account step by step; after a reload, or within half an hour in the same browser, continues at the
 * current step.
 */
export function ActivationPage() {
  const { t } = useTranslation()
  const query = useQuery(activationQuery())
  const [code, forgetCode] = useLinkCode()
  const [failure, fail] = useState<string | null>(null)
  const [noticed, notice] = useState<string | null>(null)
  const isOpen = useRef(false)
  const drafts = useRef(emptyDrafts())
  useEffect(() => {
    if (query.data) isOpen.current = true
  }, [query.data])
  const pageState = useMemo(() => ({ fail, notice, isOpen, drafts }), [])
  if (query.isError) return <FailedBlock error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <Skeleton lines={5} />
  if (code !== null) {
    return (
      <div className="steps-page activation">
        <PageTitle>{t('activation.title')}</PageTitle>
        <CodeStep code={code} onDone={forgetCode} />
        <Help />
      </div>
    )
  }
  const offered = query.data.offered || query.data.activation !== null
  return (
    <ActivationContext value={pageState}>
      <div className="steps-page activation">
        <PageTitle>{t('activation.title')}</PageTitle>
        {!offered && <p className="card form-card">{t('errors.activation.not-offered')}</p>}
        {offered && failure !== null && <FailedCard reason={failure} onAgain={() => fail(null)} />}
        {offered && failure === null && <ActivationFlow state={query.data} noticed={noticed} />}
        <Help />
      </div>
    </ActivationContext>
  )
}

type FlowProps = { state: CallOutput<typeof queryActivation>; noticed: string | null }

function ActivationFlow({ state, noticed }: FlowProps) {
  const { t } = useTranslation()
  const { fields, custom, activation } = state
  const [back, setBack] = useState<ActivationStep | null>(null)
  // The state before this page's first request, whose answer changes it.
  const [hadBegun] = useState(hasStartedActivation)
  const { drafts } = useContext(ActivationContext)
  useEffect(() => {
    // The next person at this computer must not see what this one has typed.
    if (activation && !activation.isComplete) return
    storeActivation(false)
    drafts.current = emptyDrafts()
  }, [activation, drafts])
  const isUnderway = activation !== null && !activation.isComplete
  return (
    <>
      <StepList label={t('activation.steps')} steps={toSteps(t, state, back)} />
      {noticed !== null && (
        <p className="banner" role="alert">
          {noticed}
        </p>
      )}
      <div className="card form-card">
        {!activation && <InformationStep fields={fields} custom={custom} wasTooLate={hadBegun} />}
        {isUnderway && <ActivationSteps activation={activation} back={back} onBack={setBack} />}
        {activation?.isComplete && <CompletedCard activation={activation} />}
      </div>
      {isUnderway && <StartOver activation={activation} onDone={() => setBack(null)} />}
    </>
  )
}

/** The activation failed: why, and what to do. */
function FailedCard({ reason, onAgain }: { reason: string; onAgain: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="card form-card" role="alert">
      <StepTitle title={t('activation.failed.title')} />
      <p>{reason}</p>
      <div className="form-actions">
        <button type="button" className="button button-primary" onClick={onAgain}>
          {t('activation.begin-again')}
        </button>
        <a className="button" href={loginUrl(`${location.origin}/auth_web/`)}>
          {t('action.log-in')}
        </a>
      </div>
    </div>
  )
}

/** The information check, the steps and the end, each with its state. */
function toSteps(t: TFunction, { activation, steps }: FlowProps['state'], back: ActivationStep | null): Step[] {
  const label = (step: ActivationStep | 'information' | 'complete') => ({
    name: step,
    label: t(`activation.step.${step}`),
  })
  const [information, end] = [label('information'), label('complete')]
  if (!activation) {
    const ahead = steps.map((step) => ({ ...label(step), state: 'open' as const }))
    return [{ ...information, state: 'current' }, ...ahead, { ...end, state: 'open' }]
  }
  const { isComplete } = activation
  const due = activation.steps.find(({ state }) => state === 'open')?.step ?? 'complete'
  const current = isComplete ? null : (back ?? due)
  return [
    { ...information, state: 'done' },
    ...activation.steps.map(({ step, state }) => ({
      ...label(step),
      state: step === current ? ('current' as const) : state,
    })),
    { ...end, state: isComplete ? 'done' : current === 'complete' ? 'current' : 'open' },
  ]
}

function CompletedCard({ activation }: { activation: Activation }) {
  const { t } = useTranslation()
  const { account, name } = activation
  const giveUp = useCancelActivation()
  return (
    <div className="step-form" role="status">
      <StepTitle title={t('activation.complete.title')} />
      <p className="muted">{t('activation.complete.text', { account, name })}</p>
      <ActivationSummary activation={activation} />
      <div className="form-actions">
        <a className="button button-primary" href={loginUrl(`${location.origin}/auth_web/`)}>
          {t('action.log-in')}
        </a>
        <button type="button" className="button button-quiet" onClick={giveUp}>
          {t('activation.another')}
        </button>
      </div>
    </div>
  )
}

/** Clears the activation in this browser. */
function useCancelActivation(onDone?: () => void): () => void {
  const store = useSetActivation()
  const giveUp = useMutation({
    mutationFn: () => call(cancelActivation),
    onSuccess: () => {
      onDone?.()
      store(null)
    },
  })
  return () => giveUp.mutate()
}

/** For the next person at the same computer, and after a wrong account was entered. */
function StartOver({ activation: { account, name }, onDone }: { activation: Activation; onDone: () => void }) {
  const { t } = useTranslation()
  const giveUp = useCancelActivation(onDone)
  return (
    <p className="activation-over">
      <span className="muted">{t('activation.for', { account, name })}</span>
      <button type="button" className="button button-quiet" onClick={giveUp}>
        {t('activation.start-over')}
      </button>
    </p>
  )
}

/** The institution's contact, and the link back to the login. */
function Help() {
  const { t } = useTranslation()
  const { data: gateway } = useQuery(gatewayQuery())
  const contact = gateway?.contact
  return (
    <p className="muted steps-help">
      <a href={loginUrl(`${location.origin}/auth_web/`)}>{t('recovery.to-login')}</a>
      <span>{contact ? t('activation.help', { contact }) : t('activation.help-desk')}</span>
    </p>
  )
}
