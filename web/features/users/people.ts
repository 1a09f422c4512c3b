import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Power } from '#shared/contract/powers.ts'
import { roleOptions } from '#shared/contract/roles.ts'
import { listUserCategoryOptions, listUserFeatureOptions } from '#shared/contract/vocabularies.ts'
import { call } from '../../platform/api.ts'
import { queryClient } from '../../platform/queries.ts'
import { useUser } from '../../platform/session.ts'

export const PEOPLE_KEY = 'people'
export const PERSON_KEY = 'person'

/** After something was done with people. */
export async function refreshPeople(): Promise<void> {
  const ofOthers = ['organizations', 'roles', 'role-members', 'person-roles', 'access']
  const keys = [PEOPLE_KEY, PERSON_KEY, 'person-sessions', 'person-records', ...ofOthers].map((key) => [key])
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

/** May the person who is logged in do this somewhere? */
export function useMay(): (power: Power) => boolean {
  const user = useUser()
  return (power) => user?.isSuperUser === '1' || (user?.powers?.includes(power) ?? false)
}

type Options = { value: string; label: string }[]
const RARELY = 60_000
const MOST_ROLES = 100

const optionsOf = (records: readonly { id: string; name: string }[] | undefined): Options =>
  (records ?? []).map(({ id, name }) => ({ value: id, label: name }))

/** The words that people are filed under, to choose from. */
export function useVocabularies(): { categories: Options; natures: Options } {
  const { i18n } = useTranslation()
  const categories = useQuery({
    queryKey: ['user-category', 'options', i18n.language],
    queryFn: ({ signal }) => call(listUserCategoryOptions, {}, { signal }),
    staleTime: RARELY,
  })
  const natures = useQuery({
    queryKey: ['user-feature', 'options', i18n.language],
    queryFn: ({ signal }) => call(listUserFeatureOptions, {}, { signal }),
    staleTime: RARELY,
  })
  return { categories: optionsOf(categories.data?.records), natures: optionsOf(natures.data?.records) }
}

export function useRoleChoices(): Options {
  const { i18n } = useTranslation()
  const { data } = useQuery({
    queryKey: ['roles', 'options', i18n.language],
    queryFn: ({ signal }) => call(roleOptions, { query: { pageSize: MOST_ROLES } }, { signal }),
    staleTime: RARELY,
  })
  return optionsOf(data?.records)
}
