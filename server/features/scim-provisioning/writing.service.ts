import type { ScimChangeKind } from '#shared/contract/scim-clients.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import type { OrganizationSnapshot } from '../organizations/index.ts'
import { retryConcurrentWrites, type SaveOutcome } from '../people-save/index.ts'
import { countChanges, type ScimCaller, type ScimChange } from '../scim-clients/index.ts'

/** A client within a transaction, and what it has changed there. */
export type Writer = ScimCaller & { changes: ScimChange[] }

/**
 * Runs work as one transaction, again if somebody was faster to change the same. What it changed is counted at its end.
 * @throws Refusal `scim.too-many-disabled`, `scim.too-many-moved`, `scim.too-many-renamed`, `scim.too-many-created`,
 *   `scim.too-many-at-once`.
 */
export const writing = <T>(
  ctx: Context,
  client: ScimCaller,
  work: (inner: Context, writer: Writer) => Promise<T>,
): Promise<T> =>
  retryConcurrentWrites(() =>
    transaction(ctx, async (inner) => {
      const writer: Writer = { ...client, changes: [] }
      const done = await work(inner, writer)
      await countChanges(inner, client, writer.changes)
      return done
    }),
  )

/** Notes what saving people changed, to be counted: only what really differs. */
export function notePeople({ changes }: Writer, outcomes: readonly SaveOutcome[]): void {
  for (const outcome of outcomes)
    for (const kind of kindsOfPerson(outcome)) if (outcome.id !== null) changes.push({ kind, id: outcome.id })
}

function kindsOfPerson({ status, before, after }: SaveOutcome): ScimChangeKind[] {
  if (status === 'created') return ['created']
  const kinds: ScimChangeKind[] = []
  if (!before || !after) return kinds
  if (after.enabled === false) kinds.push('disabled')
  // Somebody's first department is no move: a first load may assign it after creating everybody.
  if (before.organizationId || before.secondaryOrganizationIds) kinds.push('moved')
  if (before.name !== undefined) kinds.push('renamed')
  return kinds
}

/** The same for people who lost a role: a list that came without them takes applications from all of them. */
export function noteLeavers({ changes }: Writer, ids: readonly string[]): void {
  changes.push(...ids.map((id) => ({ kind: 'moved' as const, id })))
}

type OrganizationChange = { id: string; before: OrganizationSnapshot; after: OrganizationSnapshot }

/** The same for an organisation. */
export function noteOrganization({ changes }: Writer, { id, before, after }: OrganizationChange): void {
  if (before.enabled && !after.enabled) changes.push({ kind: 'disabled', id })
  if (before.parentId !== after.parentId) changes.push({ kind: 'moved', id })
  if (before.name !== after.name) changes.push({ kind: 'renamed', id })
}
