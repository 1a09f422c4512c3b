import { isDeepStrictEqual } from 'node:util'
import { v7 } from 'uuid'
import type { ReferenceDataCalls, ReferenceEntry } from '#shared/contract/reference-data.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { refuseIfNamedByRules } from '../access-rules/index.ts'
import { recordAudit } from '../records/index.ts'
import { clearInDeletedUsers } from '../user-accounts/index.ts'
import { errors } from './reference-data.errors.ts'
import * as store from './reference-data.store.ts'

/** One of the three lists: its table, and its name in audit records. */
export type ReferenceList = {
  table: store.ReferenceTable
  kind: 'organization-attribute' | 'user-category' | 'user-feature'
}

export async function entriesPage(
  ctx: Context,
  { table }: ReferenceList,
  query: Input<ReferenceDataCalls['list']>['query'],
) {
  const search = query.search.normalize('NFKC')
  return await store.pageOfEntries(ctx.db, table, ctx.client.language, { ...query, search })
}

export const listOptions = async (ctx: Context, { table }: ReferenceList) => ({
  records: [...(await store.listOptions(ctx.db, table, ctx.client.language))],
})

export async function getEntry(ctx: Context, { table }: ReferenceList, id: string): Promise<ReferenceEntry> {
  const entry = await store.findEntry(ctx.db, table, id, ctx.client.language)
  if (!entry) throw errors['reference-data.not-found']()
  return entry
}

const snapshotOf = ({ code, name, names, position }: ReferenceEntry) => ({ code, name, names, position })

const target = ({ kind }: ReferenceList, id: string) => ({ targetKind: kind, targetId: id })

export async function createEntry(
  ctx: Context,
  which: ReferenceList,
  body: Input<ReferenceDataCalls['create']>['body'],
) {
  return await transaction(ctx, async (inner) => {
    const id = v7()
    await store.lockReferenceTable(inner.db, which.table)
    if (!(await store.insertEntry(inner.db, which.table, { ...body, id }))) {
      throw errors['reference-data.code-taken']({ params: { code: body.code }, data: { fields: ['code'] } })
    }
    const entry = await getEntry(inner, which, id)
    const change = { before: null, after: snapshotOf(entry) }
    await recordAudit(inner, { action: 'reference-data.create', ...target(which, id), ...change })
    return entry
  })
}

/** In the version that the caller saw. @throws Refusal `reference-data.not-found`, `version.conflict`. */
async function lockEntry(ctx: Context, which: ReferenceList, id: string, version: number): Promise<ReferenceEntry> {
  await store.lockReferenceTable(ctx.db, which.table)
  const entry = await getEntry(ctx, which, id)
  if (entry.version !== version) throw platformErrors['version.conflict']({ data: { current: entry } })
  return entry
}

export async function updateEntry(
  ctx: Context,
  which: ReferenceList,
  id: string,
  { version, ...given }: Input<ReferenceDataCalls['update']>['body'],
) {
  return await transaction(ctx, async (inner) => {
    const before = await lockEntry(inner, which, id, version)
    const { name = before.name, names = before.names } = given
    if (isDeepStrictEqual([name, names], [before.name, before.names])) return before
    await store.updateEntry(inner.db, which.table, { id, name, names })
    const after = await getEntry(inner, which, id)
    const change = { before: snapshotOf(before), after: snapshotOf(after) }
    await recordAudit(inner, { action: 'reference-data.update', ...target(which, id), ...change })
    return after
  })
}

export async function moveEntry(ctx: Context, which: ReferenceList, id: string, after: string | null) {
  return await transaction(ctx, async (inner) => {
    await store.lockReferenceTable(inner.db, which.table)
    const before = await getEntry(inner, which, id)
    if (after !== null) await getEntry(inner, which, after)
    if (after === id) return before
    await store.updateEntryPosition(inner.db, which.table, id, after)
    const now = await getEntry(inner, which, id)
    const change = { before: snapshotOf(before), after: snapshotOf(now) }
    if (before.position !== now.position) {
      await recordAudit(inner, { action: 'reference-data.update', ...target(which, id), ...change })
    }
    return now
  })
}

/** Only an entry that nobody, and no organisation, uses. @throws Refusal `reference-data.in-use` with the number. */
export async function removeEntry(ctx: Context, which: ReferenceList, id: string, version: number): Promise<null> {
  return await transaction(ctx, async (inner) => {
    const entry = await lockEntry(inner, which, id, version)
    if (await store.isUsed(inner.db, which.table, entry)) throw inUseError(entry)
    if (which.table === 'user_categories') await refuseIfNamedByRules(inner, 'who.categories', entry.code)
    if (which.table !== 'organization_attributes') await clearInDeletedUsers(inner.db, which.table, id)
    // If somebody starts to use it at this moment, the foreign key prevents the deletion.
    if (!(await store.deleteEntry(inner.db, which.table, id))) throw inUseError(entry)
    const change = { before: snapshotOf(entry), after: null }
    await recordAudit(inner, { action: 'reference-data.delete', ...target(which, id), ...change })
    return null
  })
}

const inUseError = ({ shownName: name, uses }: ReferenceEntry) =>
  errors['reference-data.in-use']({ params: { name, count: uses }, data: { uses } })
