import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import type { TestProject } from 'vitest/node'
import { ARGON2ID } from '../features/passwords/hash-password.ts'
import { randomToken } from '../platform/crypto.ts'
import { openDatabase } from '../platform/db.ts'
import { removeEmbeddedDatabase, startEmbeddedDatabase } from '../platform/embedded-database.ts'
import { migrate } from '../platform/migrate.ts'
import { PASSWORD } from './password.ts'

/** One database server for the whole run: the one that DATABASE_URL names, else an embedded one of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = process.env['DATABASE_URL']
    ? { url: process.env['DATABASE_URL'], stop: async () => {} }
    : await embedded()
  const template = `gatehouse_template_${randomToken(10).toLowerCase()}`
  const admin = openDatabase(server.url, { max: 1 })
  await admin.unsafe(`create database ${template}`)
  const url = new URL(server.url)
  url.pathname = `/${template}`
  const sql = openDatabase(url.href, { max: 1 })
  await migrate(sql, new Date())
  await sql.end()
  project.provide('adminUrl', server.url)
  project.provide('templateDatabase', template)
  project.provide('passwordHash', await hash(PASSWORD, ARGON2ID))
  return async () => {
    await admin.unsafe(`drop database if exists ${template} with (force)`)
    await admin.end()
    await server.stop()
  }
}

async function embedded() {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  // As root the database runs as another user, who must be able to reach it.
  chmodSync(dataDir, 0o711)
  const database = await startEmbeddedDatabase({ dataDir })
  const sql = openDatabase(database.url, { max: 1 })
  // Hundreds of databases are made and thrown away here; what must survive a crash is tested on servers of its own.
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit'])
    await sql.unsafe(`alter system set ${setting} = off`)
  await sql`select pg_reload_conf()`
  await sql.end()
  return {
    url: database.url,
    async stop() {
      await database.stop()
      removeEmbeddedDatabase(database, dataDir)
    },
  }
}
