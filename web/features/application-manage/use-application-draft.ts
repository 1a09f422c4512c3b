import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApplicationFields } from '#shared/contract/application-fields.ts'
import { type ApplicationDetails, applicationDetails, updateApplication } from '#shared/contract/application-manage.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { queryClient } from '../../platform/queries.ts'
import type { Icon } from './IconField.tsx'

type Field = keyof ApplicationFields
type Edits = Partial<Pick<ApplicationDetails, Field>> & { icon?: Icon | null }

export type ApplicationDraft = {
  /** As loaded. */
  loaded: ApplicationDetails
  /** As shown in the form. */
  value: ApplicationDetails
  dirty: (Field | 'picture')[]
  change: (edits: Edits) => void
  discard: () => void
  save: () => Promise<void>
  /** Takes the application from another call's answer; unsaved input stays. */
  take: (current: ApplicationDetails) => void
  takeTheirs: (current: ApplicationDetails) => void
}

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

const detailsKey = (id: string) => ['application-details', id]

export const refreshDetails = (id: string): Promise<void> => queryClient.invalidateQueries({ queryKey: detailsKey(id) })

/** An application with its unsaved changes, shared by all tabs. */
export function useApplicationDraft(id: string) {
  const { t } = useTranslation()
  const [kept, setKept] = useState<ApplicationDetails | null>(null)
  const [edits, setEdits] = useState<Edits>({})
  const query = useQuery({
    queryKey: detailsKey(id),
    queryFn: ({ signal }) => call(applicationDetails, { query: { id } }, { signal }),
  })
  // While there are unsaved changes, keep the version they are based on: the server has to see it.
  const isTyping = Object.keys(edits).length > 0
  const loaded = (isTyping ? kept : null) ?? query.data ?? null
  const take = (current: ApplicationDetails) => {
    queryClient.setQueryData(detailsKey(id), current)
    setKept(current)
  }
  const draft: ApplicationDraft | null = loaded && {
    loaded,
    value: shown(loaded, edits),
    dirty: dirtyFields(loaded, edits),
    change: (more) => {
      setKept(loaded)
      setEdits({ ...edits, ...more })
    },
    discard: () => setEdits({}),
    take,
    takeTheirs: (current) => {
      take(current)
      setEdits({})
    },
    save: async () => {
      const changes = changesOf(loaded, edits)
      take(await call(updateApplication, { query: { id }, body: { version: loaded.version, changes } }))
      // What was typed meanwhile stays unsaved.
      setEdits((now) => without(now, edits))
      notify('well', t('application-settings.saved'))
      await queryClient.invalidateQueries({ queryKey: ['applications'] })
    },
  }
  return { draft, query }
}

/** The edits that are not among those that were saved. */
const without = (now: Edits, saved: Edits): Edits =>
  Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== saved[name as keyof Edits]))

function shown(loaded: ApplicationDetails, { icon, ...fields }: Edits): ApplicationDetails {
  return { ...loaded, ...fields, ...(icon !== undefined && { picture: icon?.url ?? null }) }
}

function dirtyFields(loaded: ApplicationDetails, { icon, ...fields }: Edits): ApplicationDraft['dirty'] {
  const changed = (Object.keys(fields) as Field[]).filter((name) => !isEqual(fields[name], loaded[name]))
  return icon === undefined || (icon?.url ?? null) === loaded.picture ? changed : [...changed, 'picture']
}

type Changes = { pictureId?: string | null } & Partial<ApplicationFields>

/** Empty rows of a list are ignored. */
const hasValue = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.filter((one) => one !== '').map((one) => (typeof one === 'string' ? one.trim() : one))
    : value

function changesOf(loaded: ApplicationDetails, edits: Edits): Changes {
  const names = dirtyFields(loaded, edits)
  const known = names.filter((name): name is Field => name in ApplicationFields.shape)
  const changes = Object.fromEntries(known.map((name) => [name, hasValue(edits[name])])) as Changes
  return names.includes('picture') ? { ...changes, pictureId: edits.icon?.id ?? null } : changes
}
