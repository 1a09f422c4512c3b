import type { DirectorySyncFields } from '#shared/contract/directory-syncs.ts'
import { DAY_MS } from '#shared/rules/durations.ts'

/** What a leaver can lose. */
export type LeaverFields = {
  enabled?: boolean
  validUntil?: string | null
  organizationId?: string | null
  frozen?: boolean
}

/** What the sync took: the fields before, and as it left them (for a freeze, its time). */
export type Taken = { before: LeaverFields; after: Omit<LeaverFields, 'frozen'> & { frozen?: boolean | string } }

/** The state of a person that leaver rules depend on. */
export type PersonState = {
  enabled: boolean
  validUntil: string | null
  organizationId: string | null
  isFrozen: boolean
  /** The current freeze was set by the sync. */
  isFrozenBySync: boolean
}

type LeaverRule = DirectorySyncFields['leavers']

/** What a leaver loses, counted from the start of the run; null: nothing that the rule would take. */
export function leaverChange(
  { action, organizationId, graceDays }: LeaverRule,
  state: PersonState,
  startedAt: Date,
): { before: LeaverFields; after: LeaverFields } | null {
  if (action === 'disable' && state.enabled) return { before: { enabled: true }, after: { enabled: false } }
  if (action === 'freeze' && !state.isFrozen) return { before: { frozen: false }, after: { frozen: true } }
  if (action === 'move' && organizationId !== null && state.organizationId !== organizationId)
    return { before: { organizationId: state.organizationId }, after: { organizationId } }
  if (action !== 'end-date') return null
  const validUntil = new Date(startedAt.getTime() + graceDays * DAY_MS).toISOString()
  if (state.validUntil !== null && state.validUntil <= validUntil) return null
  return { before: { validUntil: state.validUntil }, after: { validUntil } }
}

/** What a returning person gets back: fields still as the sync left them and not set by their row. */
export function fieldsToRestore(taken: Taken | null, state: PersonState, given: object): LeaverFields {
  if (taken === null) return {}
  const isStill: Record<keyof LeaverFields, boolean> = {
    enabled: state.enabled === taken.after.enabled,
    validUntil: state.validUntil === taken.after.validUntil,
    organizationId: state.organizationId === taken.after.organizationId,
    frozen: state.isFrozenBySync,
  }
  const fields = Object.keys(taken.after) as (keyof LeaverFields)[]
  return Object.fromEntries(
    fields.filter((field) => isStill[field] && !(field in given)).map((field) => [field, taken.before[field] ?? null]),
  )
}
