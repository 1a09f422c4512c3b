import { inject } from 'vitest'
import { randomToken } from '../platform/crypto.ts'
import { openDatabase } from '../platform/db.ts'

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

export type TestDatabase = { url: string; drop(): Promise<void> }

const MAX_USES = 50

type Clone = { name: string; url: string; uses: number }
/** Emptied ones, in the order of their last use. */
const spare: Clone[] = []

const connect = (url: string) => openDatabase(url, { max: 1, connectTimeoutSeconds: 20 })

async function administer<T>(url: string, work: (sql: ReturnType<typeof connect>) => Promise<T>): Promise<T> {
  const sql = connect(url)
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

async function clone(): Promise<Clone> {
  const template = inject('templateDatabase')
  const name = `${template}_${randomToken(12).toLowerCase()}`
  const url = new URL(inject('adminUrl'))
  await administer(url.href, (sql) => sql.unsafe(`create database ${name} template ${template}`))
  url.pathname = `/${name}`
  return { name, url: url.href, uses: 0 }
}

/** False if something is still connected, or a test altered the schema. */
async function isEmptied({ url }: Clone): Promise<boolean> {
  const rows = await administer(url, (sql) => sql<{ done: boolean }[]>`select template.reset() as done`)
  return rows[0]?.done === true
}

/** A real, empty, migrated Gatehouse database for one test. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const database = spare.pop() ?? (await clone())
  database.uses += 1
  return {
    url: database.url,
    async drop() {
      if (inject('reusesDatabases') && database.uses < MAX_USES && (await isEmptied(database))) spare.push(database)
      else
        await administer(inject('adminUrl'), (sql) =>
          sql.unsafe(`drop database if exists ${database.name} with (force)`),
        )
    },
  }
}
