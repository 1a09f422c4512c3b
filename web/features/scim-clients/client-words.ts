import type { TFunction } from 'i18next'
import { SCIM_LIMITS, type ScimClient } from '#shared/contract/scim-clients.ts'
import type { ConflictWords } from '../../ui/ConflictNotice.tsx'

const COMPARED = ['name', 'enabled', 'scopes', 'callsPerMinute', ...Object.values(SCIM_LIMITS), 'note'] as const

/** Labels of a client, for what somebody else changed. */
export const clientWords = (t: TFunction): ConflictWords<ScimClient> => ({
  labels: Object.fromEntries(COMPARED.map((name) => [name, t(`scim-client.${name}`)])),
})
