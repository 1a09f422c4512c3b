import type { TFunction } from 'i18next'
import type { DirectorySync, SyncSchedule } from '#shared/contract/directory-syncs.ts'

type Person = DirectorySync['responsible'][number]

/** A person's name with their account. */
export const labelOf = ({ name, account }: Person): string => `${name} (${account})`

const COMPARED = ['name', 'responsible', 'schedule', 'note'] as const

/** The labels and values common to both kinds of sync, for the dialog about a version conflict. */
export function conflictWords(t: TFunction) {
  const inWords = (value: unknown) => {
    if (Array.isArray(value)) {
      const parts = value.map((one: string | Person) => (typeof one === 'string' ? one || '—' : labelOf(one)))
      return parts.join(t('list.separator'))
    }
    if (typeof value !== 'object' || value === null) return value as string | null
    const { cron, zone } = value as SyncSchedule
    return `${cron} (${zone})`
  }
  return {
    labels: Object.fromEntries(COMPARED.map((name) => [name, t(`directory-sync.${name}`)])),
    show: (_field: string, value: unknown): string => inWords(value) || '—',
  }
}
