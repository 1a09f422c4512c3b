import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { fillInActivationProfile } from '#shared/contract/activation.ts'
import { TYPED_FIELDS } from '#shared/contract/profile.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { FieldErrorsContext, fieldErrorsOf } from '../../ui/field-errors.ts'
import { ProfileFields, useProfileValues } from '../../ui/ProfileFields.tsx'
import { ActivationStepForm } from './ActivationStepForm.tsx'
import type { StepProps } from './activation-step.types.ts'
import { useStepMutation } from './use-activation.ts'

const FIELDS = ['alias', ...TYPED_FIELDS] as const

/** What the account is not activated without, and nothing is on file of. */
export function ProfileStep({ activation, onTaken, onBack }: StepProps) {
  const { t } = useTranslation()
  const { proof, profile } = activation
  const custom = profile?.missingCustom ?? []
  const fields = (profile?.missing ?? []).flatMap(({ field, expected }) => {
    const known = FIELDS.find((one) => one === field)
    return known ? [{ field: known, expected }] : []
  })
  const { body, isReady, values, set } = useProfileValues({ fields, custom })
  const save = useStepMutation({ onDone: onTaken })
  const { error } = save
  const errors = useMemo(() => {
    // What is wrong with an alias is told without the field that it is about.
    const ofAlias = isRefusal(error) && error.code.startsWith('alias.') ? { alias: error.message } : {}
    return { ...fieldErrorsOf(error), ...ofAlias }
  }, [error])
  return (
    <ActivationStepForm
      title={t('activation.profile.title')}
      text={t('activation.profile.text')}
      verb={t('activation.next')}
      isReady={isReady}
      isBusy={save.isPending}
      error={Object.keys(errors).length > 0 ? undefined : failureText(error)}
      onSubmit={() => save.mutate(() => call(fillInActivationProfile, { body: { ...body, proof } }))}
      onBack={onBack}
    >
      {(submitted) => (
        <FieldErrorsContext value={errors}>
          <ProfileFields {...{ fields, custom, values, set, submitted }} />
        </FieldErrorsContext>
      )}
    </ActivationStepForm>
  )
}
