import { AsyncLocalStorage } from 'node:async_hooks'
import type { Adapter, AdapterPayload, KoaContextWithOIDC } from 'oidc-provider'
import type { Database } from '../server/platform/db.ts'
import { createStatement } from '../server/platform/statement.ts'

type Row = { payload: AdapterPayload; used: boolean }
type Writes = { access?: [string, AdapterPayload]; refresh?: [string, AdapterPayload]; used?: string }

const insertCode = createStatement('insert into codes values (:id, :payload::text::jsonb)')
const redeemCode = createStatement<Row>(`
  with code as (update codes set uses = uses + 1 where id = :id returning payload, uses) select payload, uses > 1 as used from code`)
const ACCESS = 'insert into access_tokens values (:access, :accessPayload::text::jsonb)'
const REFRESH = 'insert into refresh_tokens values (:refresh, :refreshPayload::text::jsonb)'
const insertAccess = createStatement(ACCESS)
const insertBoth = createStatement(`with access as (${ACCESS}) ${REFRESH}`)
const rotate = createStatement(`
  with used as (update refresh_tokens set used = true where id = :used and not used), access as (${ACCESS}) ${REFRESH}`)
const findAccess = createStatement<Row>('select payload, false as used from access_tokens where id = :id')
const findRefresh = createStatement<Row>('select payload, used from refresh_tokens where id = :id')

/** Lengths of the opaque tokens, which tell the kinds apart, so that an introspection looks into one table only. */
const LENGTHS = { AccessToken: 43, RefreshToken: 44, ClientCredentials: 45 } as const
export const bitsOfRandomness = (_koa: unknown, { kind }: { kind: string }): number =>
  (LENGTHS[kind as keyof typeof LENGTHS] ?? 43) * 6

/** Codes and tokens as rows, in as few statements as a request needs; sessions, grants and interactions in memory. */
export async function createFloorStorage(sql: Database) {
  await sql`create unlogged table codes (id text primary key, payload jsonb not null, uses int not null default 0)`
  await sql`create unlogged table access_tokens (id text primary key, payload jsonb not null)`
  await sql`create table refresh_tokens (id text primary key, payload jsonb not null, used boolean not null default false)`
  const writes = new AsyncLocalStorage<Writes>()
  const add = async (more: Writes) => void Object.assign(writes.getStore() ?? {}, more)
  const toPayload = ([row]: readonly Row[]): AdapterPayload | undefined =>
    row && (row.used ? { ...row.payload, consumed: Math.floor(Date.now() / 1000) } : row.payload)
  const storages: Record<string, Partial<Adapter>> = {
    AuthorizationCode: {
      upsert: async (id, payload) => void (await insertCode(sql, { id, payload: JSON.stringify(payload) })),
      find: async (id) => toPayload(await redeemCode(sql, { id })),
      consume: async () => {},
    },
    AccessToken: {
      upsert: (id, payload) => add({ access: [id, payload] }),
      find: async (id) => (id.length === LENGTHS.AccessToken ? toPayload(await findAccess(sql, { id })) : undefined),
    },
    ClientCredentials: {
      upsert: (id, payload) => add({ access: [id, payload] }),
      find: async (id) =>
        id.length === LENGTHS.ClientCredentials ? toPayload(await findAccess(sql, { id })) : undefined,
    },
    RefreshToken: {
      upsert: (id, payload) => add({ refresh: [id, payload] }),
      find: async (id) => (id.length === LENGTHS.RefreshToken ? toPayload(await findRefresh(sql, { id })) : undefined),
      consume: (id) => add({ used: id }),
    },
  }
  const flush = async ({ access, refresh, used }: Writes) => {
    if (!access) return
    const tokens = { access: access[0], accessPayload: JSON.stringify(access[1]) }
    if (!refresh) return void (await insertAccess(sql, tokens))
    const both = { ...tokens, refresh: refresh[0], refreshPayload: JSON.stringify(refresh[1]) }
    await (used === undefined ? insertBoth(sql, both) : rotate(sql, { ...both, used }))
  }
  return {
    adapter: (name: string): Adapter => ({ ...inMemory(), ...storages[name] }),
    /** Writes what a request has issued, in one statement before its answer is sent. */
    middleware: async (_koa: KoaContextWithOIDC, next: () => Promise<void>) => {
      const own: Writes = {}
      await writes.run(own, next)
      await flush(own)
    },
  }
}

function inMemory(): Adapter {
  const stored = new Map<string, AdapterPayload>()
  const byUid = new Map<string, AdapterPayload>()
  const nothing = async () => undefined
  return {
    upsert: async (id, payload) => {
      stored.set(id, payload)
      if (payload.uid) byUid.set(payload.uid, payload)
    },
    find: async (id) => stored.get(id),
    destroy: async (id) => void stored.delete(id),
    consume: nothing,
    findByUid: async (uid) => byUid.get(uid),
    findByUserCode: nothing,
    revokeByGrantId: nothing,
  }
}
