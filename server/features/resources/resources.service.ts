import { isDeepStrictEqual } from 'node:util'
import { v7 } from 'uuid'
import type { z } from 'zod'
import type { ResourceKind } from '#shared/contract/resources.ts'
import type { Db } from '../../platform/db.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { parseInput } from '../../platform/http/responses.ts'
import type { Page, PageQuery } from '../../platform/list.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { type Restorer, recordAudit, type Snapshot } from '../records/index.ts'
import { errors } from './resources.errors.ts'

type Stored = { id: string; version: number; name: string; shownName?: string }

/** The statements of a resource; read as the caller sees it, in their language. */
export type ResourceStore<Fields, Row, Query> = {
  /** @throws Refusal `list.too-deep`. */
  page(ctx: Context, query: Query): Promise<Page<Row>>
  /** Those that exist, in any order. */
  find(ctx: Context, ids: readonly string[]): Promise<Row[]>
  insert(ctx: Context, id: string, fields: Fields): Promise<void>
  /** Increments the version. */
  update(ctx: Context, id: string, fields: Fields): Promise<void>
  remove(ctx: Context, id: string): Promise<void>
}

export type ResourceChange = {
  id: string
  /** Null: it is new. */
  before: Snapshot | null
  /** Null: it is deleted. */
  after: Snapshot | null
  /** The caller knows that the change may lock somebody out. */
  force: boolean
}

type ChangeOptions = { force?: boolean | undefined }
/** For a change with a special audit record: its action instead of `<kind>.update`, and the reason. */
type UpdateOptions = ChangeOptions & { action?: string; reason?: string }

type Definition<Fields, Row, Query> = {
  /** Declared in shared/contract/resources.ts, with the actions `<kind>.create`, `.update` and `.delete`. */
  kind: ResourceKind
  /** The schema of the input. */
  fields: z.ZodType<Fields> & { shape: object }
  store: ResourceStore<Fields, Row, Query>
  /**
   * Turns the input into what is saved, while nobody else can save one of this kind. `id`: null for a new one.
   * @throws Refusal for what the rules of the kind forbid.
   */
  check(ctx: Context, fields: Fields, id: string | null): Promise<Fields>
  /** After each write, in its transaction: notifies caches. @throws Refusal if the result is not acceptable. */
  changed(ctx: Context, change: ResourceChange): Promise<void>
}

/** Locks one kind of resource: nobody else can save one of it until the transaction ends. */
export const lockResource = (db: Db, kind: ResourceKind) =>
  db`select pg_advisory_xact_lock(hashtextextended(${`resource ${kind}`}, 0))`

/** Reads and writes one, inside the transaction of a change. */
function resourceWriter<Fields extends object, Row extends Stored & Fields, Query>({
  kind,
  fields,
  store,
  check,
  changed,
}: Definition<Fields, Row, Query>) {
  const names = Object.keys(fields.shape)
  /** The input fields, as kept in the history. */
  const snapshotOf = (row: Fields): Snapshot =>
    Object.fromEntries(names.map((name) => [name, (row as Snapshot)[name] ?? null]))

  /** @throws Refusal `resource.not-found`. */
  async function get(ctx: Context, id: string): Promise<Row> {
    const [row] = await store.find(ctx, [id])
    if (!row) throw errors['resource.not-found']()
    return row
  }

  /** In the version that the caller saw. @throws Refusal `resource.not-found`, `version.conflict`. */
  async function hold(ctx: Context, id: string, version: number): Promise<Row> {
    await lockResource(ctx.db, kind)
    const row = await get(ctx, id)
    if (row.version !== version) throw platformErrors['version.conflict']({ data: { current: row } })
    return row
  }

  /** @returns the states before and after: the same object if nothing changed */
  async function write(
    ctx: Context,
    id: string,
    { version, given, force = false }: { version: number; given: Fields } & ChangeOptions,
  ): Promise<{ before: Row; after: Row }> {
    const before = await hold(ctx, id, version)
    const checked = await check(ctx, given, id)
    if (isDeepStrictEqual(snapshotOf(checked), snapshotOf(before))) return { before, after: before }
    await store.update(ctx, id, checked)
    const after = await get(ctx, id)
    await changed(ctx, { id, before: snapshotOf(before), after: snapshotOf(after), force })
    return { before, after }
  }
  return { snapshotOf, get, hold, write }
}

/** List, read, create, change and delete with version, audit record and rollback: common to every resource of the back office. */
export function resourceService<Fields extends object, Row extends Stored & Fields, Query extends PageQuery>(
  definition: Definition<Fields, Row, Query>,
) {
  const { kind, fields, store, check, changed } = definition
  const { snapshotOf, get, hold, write } = resourceWriter(definition)
  const target = (id: string) => ({ targetKind: kind, targetId: id })
  const restorer: Restorer = {
    async current(ctx, ids) {
      const rows = await store.find(ctx, ids)
      const stateOf = (row: Row) => ({
        name: row.shownName ?? row.name,
        version: row.version,
        snapshot: snapshotOf(row),
      })
      return new Map(rows.map((row) => [row.id, stateOf(row)]))
    },
    async restore(ctx, id, snapshot, version) {
      await write(ctx, id, { version, given: parseInput(fields, snapshot, ctx, ctx.client.language) })
    },
  }
  return {
    get,
    snapshotOf,
    restorer,
    page: (ctx: Context, query: Query): Promise<Page<Row>> => store.page(ctx, query),
    create: (ctx: Context, given: Fields, { force = false }: ChangeOptions = {}): Promise<Row> =>
      transaction(ctx, async (inner) => {
        await lockResource(inner.db, kind)
        const id = v7()
        await store.insert(inner, id, await check(inner, given, null))
        const row = await get(inner, id)
        await changed(inner, { id, before: null, after: snapshotOf(row), force })
        await recordAudit(inner, { action: `${kind}.create`, ...target(id), after: snapshotOf(row) })
        return row
      }),
    update: (
      ctx: Context,
      id: string,
      { version, ...given }: Fields & { version: number },
      { action = `${kind}.update`, reason, ...options }: UpdateOptions = {},
    ): Promise<Row> =>
      transaction(ctx, async (inner) => {
        const { before, after } = await write(inner, id, { version, given: given as unknown as Fields, ...options })
        if (before === after) return before
        const sides = { before: snapshotOf(before), after: snapshotOf(after) }
        await recordAudit(inner, { action, ...target(id), ...sides, ...(reason !== undefined && { reason }) })
        return after
      }),
    remove: (ctx: Context, id: string, version: number): Promise<null> =>
      transaction(ctx, async (inner) => {
        const before = await hold(inner, id, version)
        await store.remove(inner, id)
        await changed(inner, { id, before: snapshotOf(before), after: null, force: false })
        await recordAudit(inner, { action: `${kind}.delete`, ...target(id), before: snapshotOf(before) })
        return null
      }),
  }
}
