import { onTestFinished } from 'vitest'
import { type Database, openDatabase } from '../platform/db.ts'
import type { TestServer } from './server.ts'

/** Another client of the server's database: a backup, a migration, a person at psql. Disconnects after the test. */
export function outsider(server: TestServer): Database {
  const sql = openDatabase(server.platform.config.databaseUrl ?? '', { max: 2 })
  onTestFinished(() => sql.end({ timeout: 1 }))
  return sql
}
