import { isDeepStrictEqual } from 'node:util'
import { v7 } from 'uuid'
import type { VocabularyCalls, VocabularyEntry } from '#shared/contract/vocabularies.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import { stretchOf } from '../../platform/list.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { recordAudit } from '../records/index.ts'
import { errors } from './vocabularies.errors.ts'
import * as store from './vocabularies.store.ts'

/** Of the three, which one: its table, and what it is called in the audit records. */
export type Vocabulary = {
  table: store.VocabularyTable
  kind: 'organization-attribute' | 'user-category' | 'user-feature'
}

export async function list(ctx: Context, { table }: Vocabulary, query: Input<VocabularyCalls['list']>['query']) {
  const search = query.search.normalize('NFKC')
  const total = await store.countEntries(ctx.db, table, search)
  const page = { search, sort: query.sort, language: ctx.client.language }
  return { records: await store.pageOfEntries(ctx.db, table, page, stretchOf(query, total)), ...total }
}

export const options = async (ctx: Context, { table }: Vocabulary) => ({
  records: [...(await store.optionsOf(ctx.db, table, ctx.client.language))],
})

export async function details(ctx: Context, { table }: Vocabulary, id: string): Promise<VocabularyEntry> {
  const entry = await store.findEntry(ctx.db, table, id, ctx.client.language)
  if (!entry) throw errors['vocabulary.not-found']()
  return entry
}

const snapshotOf = ({ code, name, names, position }: VocabularyEntry) => ({ code, name, names, position })

const target = ({ kind }: Vocabulary, id: string) => ({ targetKind: kind, targetId: id })

export async function create(ctx: Context, which: Vocabulary, body: Input<VocabularyCalls['create']>['body']) {
  return await transaction(ctx, async (inner) => {
    const id = v7()
    await store.lockVocabulary(inner.db, which.table)
    if (!(await store.insertEntry(inner.db, which.table, { ...body, id }))) {
      throw errors['vocabulary.code-taken']({ params: { code: body.code }, data: { fields: ['code'] } })
    }
    const entry = await details(inner, which, id)
    const change = { before: null, after: snapshotOf(entry) }
    await recordAudit(inner, { action: 'vocabulary.create', ...target(which, id), ...change })
    return entry
  })
}

/** As whoever wants to change it saw it last. @throws Refusal `vocabulary.not-found`, `version.conflict`. */
async function current(ctx: Context, which: Vocabulary, id: string, version: number): Promise<VocabularyEntry> {
  await store.lockVocabulary(ctx.db, which.table)
  const entry = await details(ctx, which, id)
  if (entry.version !== version) throw platformErrors['version.conflict']({ data: { current: entry } })
  return entry
}

export async function rename(
  ctx: Context,
  which: Vocabulary,
  id: string,
  { version, ...given }: Input<VocabularyCalls['update']>['body'],
) {
  return await transaction(ctx, async (inner) => {
    const before = await current(inner, which, id, version)
    const { name = before.name, names = before.names } = given
    if (isDeepStrictEqual([name, names], [before.name, before.names])) return before
    await store.updateEntry(inner.db, which.table, { id, name, names })
    const after = await details(inner, which, id)
    const change = { before: snapshotOf(before), after: snapshotOf(after) }
    await recordAudit(inner, { action: 'vocabulary.update', ...target(which, id), ...change })
    return after
  })
}

export async function place(ctx: Context, which: Vocabulary, id: string, after: string | null) {
  return await transaction(ctx, async (inner) => {
    await store.lockVocabulary(inner.db, which.table)
    const before = await details(inner, which, id)
    if (after !== null) await details(inner, which, after)
    if (after === id) return before
    await store.placeEntry(inner.db, which.table, id, after)
    const now = await details(inner, which, id)
    const change = { before: snapshotOf(before), after: snapshotOf(now) }
    if (before.position !== now.position) {
      await recordAudit(inner, { action: 'vocabulary.update', ...target(which, id), ...change })
    }
    return now
  })
}

/** Only what nobody, and no organisation, is filed under. @throws Refusal `vocabulary.in-use` with the number. */
export async function remove(ctx: Context, which: Vocabulary, id: string, version: number): Promise<null> {
  return await transaction(ctx, async (inner) => {
    const entry = await current(inner, which, id, version)
    if (await store.isUsed(inner.db, which.table, entry)) throw inUse(entry)
    await store.forgetInDeleted(inner.db, which.table, id)
    // Whoever files somebody under it at this moment has the database on their side.
    if (!(await store.deleteEntry(inner.db, which.table, id))) throw inUse(entry)
    const change = { before: snapshotOf(entry), after: null }
    await recordAudit(inner, { action: 'vocabulary.delete', ...target(which, id), ...change })
    return null
  })
}

const inUse = ({ shownName: name, uses }: VocabularyEntry) =>
  errors['vocabulary.in-use']({ params: { name, count: uses }, data: { uses } })
