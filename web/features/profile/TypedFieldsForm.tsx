import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ShownCustomField } from '#shared/contract/custom-fields.ts'
import { completeProfile, type ProfileCompletion } from '#shared/contract/profile.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { updateUser } from '../../platform/session.ts'
import { FieldErrorsContext, fieldErrorsOf } from '../../ui/field-errors.ts'
import { type MissingProfileField, ProfileFields, useProfileValues } from '../../ui/ProfileFields.tsx'
import { RefusalLine, SubmitForm } from '../../ui/SubmitForm.tsx'

type Props = {
  fields: readonly MissingProfileField[]
  custom: readonly ShownCustomField[]
  onSaved: (saved: ProfileCompletion) => void
}

/** What of a profile is simply typed or chosen. */
export function TypedFieldsForm({ fields, custom, onSaved }: Props) {
  const { t } = useTranslation()
  const { body, isReady, values, set } = useProfileValues({ fields, custom })
  const save = useMutation({
    mutationFn: () => call(completeProfile, { body }),
    onSuccess: (saved) => {
      updateUser({ nick: saved.nick })
      onSaved(saved)
    },
  })
  const errors = useMemo(() => fieldErrorsOf(save.error), [save.error])
  return (
    <SubmitForm
      className="profile-fields"
      isReady={isReady}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate()}
    >
      {(submitted) => (
        <FieldErrorsContext value={errors}>
          <ProfileFields {...{ fields, custom, values, set, submitted }} />
          {save.error && Object.keys(errors).length === 0 && <RefusalLine>{failureText(save.error)}</RefusalLine>}
          <div className="form-actions">
            <button type="submit" className="button button-primary" aria-disabled={save.isPending}>
              {t('complete-profile.save')}
            </button>
          </div>
        </FieldErrorsContext>
      )}
    </SubmitForm>
  )
}
