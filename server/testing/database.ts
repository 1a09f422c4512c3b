import { inject } from 'vitest'
import type { PatchedDatabase } from '../platform/connection-guard.ts'
import { randomToken } from '../platform/crypto.ts'
import { type Database, openDatabase, shareGuard } from '../platform/db.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** An administrative connection to the test server. */
    adminUrl: string
    /** The migrated, empty database that tests clone. */
    templateDatabase: string
    /** Are the clones emptied and reused? */
    reusesDatabases: boolean
  }
}

export type TestDatabase = {
  url: string
  /** Connections to it, kept with the database: opening them, and what each learns about the schema, costs more than most tests. */
  pool(): KeptPool
  drop(): Promise<void>
}

/** `close` ends its use, and leaves the connections open. */
export type KeptPool = { sql: Database; close(): Promise<void> }

const MAX_USES = 50
/** Others are closed, so that all spare databases together stay within the server's limit. */
const IDLE_SECONDS = 10

type Pool = { sql: PatchedDatabase; isEnded: boolean }
type Clone = { name: string; url: string; uses: number; pools: Pool[] }
/** Emptied ones, in the order of their last use. */
const spare: Clone[] = []

async function administer(work: (sql: Database) => Promise<unknown>): Promise<void> {
  const sql = openDatabase(inject('adminUrl'), { max: 1, connectTimeoutSeconds: 20 })
  try {
    await work(sql)
  } finally {
    await sql.end()
  }
}

async function clone(): Promise<Clone> {
  const template = inject('templateDatabase')
  const name = `${template}_${randomToken(12).toLowerCase()}`
  const url = new URL(inject('adminUrl'))
  await administer((sql) => sql.unsafe(`create database ${name} template ${template}`))
  url.pathname = `/${name}`
  return { name, url: url.href, uses: 0, pools: [] }
}

function openPool(url: string): Pool {
  const sql = openDatabase(url, { max: 6, idleSeconds: IDLE_SECONDS, connectTimeoutSeconds: 20 }) as PatchedDatabase
  const pool = { sql, isEnded: false }
  const { end } = sql
  sql.end = async (how) => {
    pool.isEnded = true
    await end(how)
  }
  return pool
}

/**
 * The pool for one server. A timer that outlives the server fails, as with connections that were closed. A transaction or a reserved
 * connection that is still open does not: its database is not reused.
 */
function lend({ sql }: Pool): KeptPool {
  let isClosed = false
  const guarded =
    <A extends unknown[], R>(call: (...args: A) => R) =>
    (...args: A): R => {
      if (isClosed) throw Object.assign(new Error('the server was closed'), { code: 'CONNECTION_ENDED' })
      return call(...args)
    }
  const { unsafe, begin, reserve, listen, notify } = sql
  const calls = { unsafe, begin, reserve, listen, notify }
  const lent = Object.assign(
    guarded(sql),
    sql,
    Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, guarded(call as () => unknown)])),
  )
  shareGuard(sql, lent as unknown as Database)
  const close = async () => {
    isClosed = true
  }
  return { sql: lent as unknown as Database, close }
}

/** @returns what keeps it from being reused: something else is connected or still at work, or a test altered the schema. */
async function empty({ pools, url }: Clone): Promise<string | null> {
  const [first = openPool(url)] = pools
  if (pools.length === 0) pools.push(first)
  const ours = pools.flatMap(({ sql }) => sql.connections().flatMap(({ socket, name }) => (socket ? [name] : [])))
  const rows = await first.sql<{ problem: string | null }[]>`select template.reset(${ours}) as problem`
  return rows[0]?.problem ?? null
}

/** A real, empty, migrated Gatehouse database for one test. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const database = spare.pop() ?? (await clone())
  const pools = [...database.pools]
  let taken = 0
  database.uses += 1
  return {
    url: database.url,
    pool() {
      taken += 1
      pools[taken - 1] ??= openPool(database.url)
      return lend(pools[taken - 1] as Pool)
    },
    async drop() {
      database.pools = pools.filter(({ isEnded }) => !isEnded)
      const isReusable = inject('reusesDatabases') && database.uses < MAX_USES
      const problem = isReusable ? await empty(database) : null
      if (isReusable && !problem) return void spare.push(database)
      await Promise.all(database.pools.map(({ sql }) => sql.end({ timeout: 1 })))
      await administer(async (sql) => {
        // A test left something running, or altered the schema: the end of the run says how many did, as each costs a second.
        if (problem) await sql`insert into ${sql(inject('templateDatabase'))} values (${problem})`
        await sql.unsafe(`drop database if exists ${database.name} with (force)`)
      })
    },
  }
}
