import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type PersonalData, personalData } from '#shared/contract/profile.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { notify } from '../../platform/notices.ts'
import { queryClient } from '../../platform/queries.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { useUser } from '../../platform/session.ts'

const KEY = 'personal-data'

export function usePersonalData() {
  const { i18n } = useTranslation()
  const id = useUser()?.userId ?? ''
  return useQuery({
    queryKey: [KEY, id, i18n.language],
    queryFn: ({ signal }) => call(personalData, { query: { id } }, { signal }),
  })
}

/** Updates the displayed data after a save, in every language. */
const updateCachedData = (changes: Partial<PersonalData>) =>
  queryClient.setQueriesData<PersonalData>({ queryKey: [KEY] }, (before) => before && { ...before, ...changes })

/**
 * Saves one section of the personal data. If something else has changed it in the meantime, reloads it and keeps the
 * input for review.
 */
export function useSave<T>(save: (value: T) => Promise<Partial<PersonalData>>, onSaved?: (value: T) => void) {
  const { t } = useTranslation()
  const mutation = useMutation({
    mutationFn: save,
    onSuccess: (changes, value) => {
      updateCachedData(changes)
      onSaved?.(value)
      notify('well', t('personal-data.saved'))
    },
    // Awaited: who saves again saves with the version that the message says is loaded.
    onError: async (error) => {
      if (isRefusal(error, 'version.conflict')) await queryClient.invalidateQueries({ queryKey: [KEY] })
    },
  })
  const error = isRefusal(mutation.error, 'version.conflict')
    ? t('personal-data.conflict')
    : failureText(mutation.error)
  return { ...mutation, message: error }
}

export type OnDirty = (section: string, isDirty: boolean) => void

/** The value a section shows: the stored one until it is edited. */
export function useDraft<T>(section: string, stored: T, onDirty: OnDirty) {
  const [draft, setDraft] = useState<{ value: T } | null>(null)
  const value = draft ? draft.value : stored
  const isDirty = JSON.stringify(value) !== JSON.stringify(stored)
  useEffect(() => {
    onDirty(section, isDirty)
    return () => onDirty(section, false)
  }, [section, isDirty, onDirty])
  return { value, isDirty, change: (next: T) => setDraft({ value: next }), discard: () => setDraft(null) }
}
