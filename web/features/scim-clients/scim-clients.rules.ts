import { SCIM_CHANGE_KINDS, SCIM_LIMITS, type ScimChangeKind, type ScimClient } from '#shared/contract/scim-clients.ts'

/** Kinds of changes that are limited, and of which there were some within 24 hours. */
export const usedKinds = (client: ScimClient): ScimChangeKind[] =>
  SCIM_CHANGE_KINDS.filter((kind) => client[SCIM_LIMITS[kind]] !== null && client.changedLastDay[kind] > 0)
