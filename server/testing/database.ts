import { inject } from 'vitest'
import { randomToken } from '../platform/crypto.ts'
import { openDatabase } from '../platform/db.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** An administrative connection of the test server. */
    adminUrl: string
    /** The migrated, empty database that each test file clones. */
    templateDatabase: string
  }
}

export type TestDatabase = { url: string; drop(): Promise<void> }

/** Clones the migrated template: a real, empty Gatehouse database of this test's own. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const admin = openDatabase(inject('adminUrl'), { max: 1 })
  const name = `gatehouse_test_${randomToken(12).toLowerCase()}`
  await admin.unsafe(`create database ${name} template ${inject('templateDatabase')}`)
  const url = new URL(inject('adminUrl'))
  url.pathname = `/${name}`
  return {
    url: url.href,
    async drop() {
      await admin.unsafe(`drop database if exists ${name} with (force)`)
      await admin.end()
    },
  }
}
