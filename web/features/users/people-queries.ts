import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { listPersonFields } from '#shared/contract/custom-fields.ts'
import { listOrganizationChildren } from '#shared/contract/organizations.ts'
import { listUserCategoryOptions, listUserFeatureOptions } from '#shared/contract/reference-data.ts'
import { roleOptions } from '#shared/contract/roles.ts'
import { call } from '../../platform/api.ts'
import { queryClient } from '../../platform/queries.ts'
import { useFirstMove } from '../../platform/use-first-move.ts'

export const PEOPLE_KEY = 'people'
export const PERSON_KEY = 'person'

/** Refreshes everything about people after a change. */
export async function refreshPeople(): Promise<void> {
  const ofOthers = ['organizations', 'roles', 'role-members', 'person-roles', 'access']
  const keys = [PEOPLE_KEY, PERSON_KEY, 'person-sessions', 'person-records', ...ofOthers].map((key) => [key])
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

type Options = { value: string; label: string }[]
const STALE_AFTER_MS = 60_000
const MAX_ROLES = 100

const toOptions = (records: readonly { id: string; name: string }[] | undefined): Options =>
  (records ?? []).map(({ id, name }) => ({ value: id, label: name }))

/** The reference data to choose from. */
export function useReferenceOptions(): { categories: Options; personnelTypes: Options } {
  const { i18n } = useTranslation()
  const enabled = useFirstMove()
  const categories = useQuery({
    queryKey: ['user-category', 'options', i18n.language],
    queryFn: ({ signal }) => call(listUserCategoryOptions, {}, { signal }),
    enabled,
    staleTime: STALE_AFTER_MS,
  })
  const personnelTypes = useQuery({
    queryKey: ['user-feature', 'options', i18n.language],
    queryFn: ({ signal }) => call(listUserFeatureOptions, {}, { signal }),
    enabled,
    staleTime: STALE_AFTER_MS,
  })
  return { categories: toOptions(categories.data?.records), personnelTypes: toOptions(personnelTypes.data?.records) }
}

/** The custom fields, and the built-in ones that administrators can't change. */
export function usePersonFields() {
  const { i18n } = useTranslation()
  const { data } = useQuery({
    queryKey: ['person-fields', i18n.language],
    queryFn: ({ signal }) => call(listPersonFields, {}, { signal }),
    staleTime: STALE_AFTER_MS,
  })
  return data ?? NO_FIELDS
}

const NO_FIELDS: z.infer<typeof listPersonFields.output> = { custom: [], closed: [] }

export function useRoleChoices(): Options {
  const { i18n } = useTranslation()
  const enabled = useFirstMove()
  const { data } = useQuery({
    queryKey: ['roles', 'options', i18n.language],
    queryFn: ({ signal }) => call(roleOptions, { query: { pageSize: MAX_ROLES } }, { signal }),
    enabled,
    staleTime: STALE_AFTER_MS,
  })
  return toOptions(data?.records)
}

const MAX_ORGANIZATIONS = 100

/** The top organisations, or those below a single one: lists are filtered by faculty, not by class. */
export function useOrganizationChoices(): Options {
  const { i18n } = useTranslation()
  const children = (signal: AbortSignal, parentId?: string) =>
    call(listOrganizationChildren, { query: { pageSize: MAX_ORGANIZATIONS, parentId } }, { signal })
  const { data } = useQuery({
    queryKey: ['organizations', 'choices', i18n.language],
    queryFn: async ({ signal }) => {
      const { records } = await children(signal)
      const [top, ...others] = records
      return top?.hasChildren && others.length === 0 ? (await children(signal, top.id)).records : records
    },
    staleTime: STALE_AFTER_MS,
  })
  return toOptions(data)
}
