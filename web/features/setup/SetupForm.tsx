import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { completeSetup, type SetByFile } from '#shared/contract/setup.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { shippedLanguage } from '../../platform/i18n.ts'
import { queryClient } from '../../platform/queries.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { StepList } from '../../ui/StepList.tsx'
import { AdministratorFields, isAdministratorReady } from './AdministratorFields.tsx'
import { MailStep, SmsStep } from './GatewaySteps.tsx'
import { InstitutionFields } from './InstitutionFields.tsx'
import { SetupStep } from './SetupStep.tsx'
import { EMPTY, STEPS, type StepName, toCompletion } from './setup-draft.ts'
import './setup.css'

type Rules = { passwordMinLength: number; passwordMaxLength: number; passwordLevel: number }
type Props = { token: string; rules: Rules; setByFile: SetByFile; onDone: () => void }

/** Four steps, of which only the first is required; everything is sent at the end, all or nothing. */
export function SetupForm({ token, rules, setByFile, onDone }: Props) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(EMPTY)
  const [at, setAt] = useState(0)
  const [skipped, setSkipped] = useState<ReadonlySet<StepName>>(new Set())
  const complete = useMutation({
    mutationFn: (without: ReadonlySet<StepName>) =>
      call(completeSetup, { body: { token, ...toCompletion(draft, without) } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['gateway'] })
      onDone()
    },
    onError: (error) => {
      if (isRefusal(error, 'password.too-weak') || isRefusal(error, 'setup.account-taken')) setAt(0)
    },
  })
  const step = STEPS[at] ?? 'sms'
  const isLast = at === STEPS.length - 1
  const goToNextStep = (isSkipped: boolean) => {
    const next = new Set([...skipped].filter((one) => one !== step))
    if (isSkipped) next.add(step)
    setSkipped(next)
    if (isLast) complete.mutate(next)
    else setAt(at + 1)
  }
  const passwordError = isRefusal(complete.error, 'password.too-weak') ? complete.error.message : undefined
  const frame = {
    label: t(`setup.${step}`),
    isFirst: at === 0,
    isLast,
    isBusy: complete.isPending,
    error: complete.isError && !passwordError ? failureText(complete.error) : undefined,
    onNext: () => goToNextStep(false),
    onBack: () => setAt(at - 1),
  }
  const gateway = { ...frame, token, draft, setByFile, onChange: setDraft, onSkip: () => goToNextStep(true) }
  return (
    <>
      <SetupSteps at={at} skipped={skipped} />
      {step === 'administrator' && (
        <SetupStep key={step} {...frame} isReady={isAdministratorReady(draft.administrator, rules)}>
          {({ submitted }) => (
            <AdministratorFields
              value={draft.administrator}
              rules={rules}
              passwordError={passwordError}
              submitted={submitted}
              onChange={(administrator) => setDraft({ ...draft, administrator })}
            />
          )}
        </SetupStep>
      )}
      {step === 'institution' && (
        <SetupStep key={step} {...frame} isReady>
          {() => (
            <InstitutionFields
              value={draft.institution}
              languages={[shippedLanguage()]}
              setByFile={setByFile.institution}
              onChange={(institution) => setDraft({ ...draft, institution })}
            />
          )}
        </SetupStep>
      )}
      {step === 'mail' && <MailStep key={step} {...gateway} />}
      {step === 'sms' && <SmsStep key={step} {...gateway} />}
    </>
  )
}

function SetupSteps({ at, skipped }: { at: number; skipped: ReadonlySet<StepName> }) {
  const { t } = useTranslation()
  const stateOf = (index: number, name: StepName) => {
    if (index === at) return 'current'
    if (skipped.has(name)) return 'skipped'
    return index < at ? 'done' : 'open'
  }
  return (
    <div className="setup-steps">
      <StepList
        label={t('setup.steps')}
        steps={STEPS.map((name, index) => ({ name, label: t(`setup.step.${name}`), state: stateOf(index, name) }))}
      />
    </div>
  )
}
