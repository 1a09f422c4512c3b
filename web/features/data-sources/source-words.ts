import type { TFunction } from 'i18next'
import type { DataSource } from '#shared/contract/data-sources.ts'
import type { ConflictWords } from '../../ui/ConflictNotice.tsx'

const COMPARED = ['name', 'kind', 'host', 'port', 'database', 'user', 'tls', 'note'] as const

/** Labels of a source, for what somebody else changed. */
export const sourceWords = (t: TFunction): ConflictWords<DataSource> => ({
  labels: Object.fromEntries(COMPARED.map((name) => [name, t(`data-source.${name}`)])),
})
