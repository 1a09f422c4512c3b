import { expect, test } from 'vitest'
import { connect, emptyDatabase } from '../testing/empty-database.ts'
import { migrate } from './migrate.ts'

test('a database of a newer version is rejected in one line', async () => {
  const sql = connect(await emptyDatabase())
  await migrate(sql, new Date())
  await sql`insert into schema_migrations values (9999, 'later', '', ${new Date()})`
  await expect(migrate(sql, new Date())).rejects.toThrow('migrated by a newer version (schema 9999, this program knows')
})

test('a database with a schema from before the first release is rejected in one line, and unchanged', async () => {
  const sql = connect(await emptyDatabase())
  await sql`create table schema_migrations (version int primary key, name text not null, checksum text not null,
    applied_at timestamptz not null)`
  await sql`insert into schema_migrations values (1, '0001_foundation.sql', '', ${new Date()}), (43, 'x.sql', '', ${new Date()})`
  await expect(migrate(sql, new Date())).rejects.toThrow('name an empty database in DATABASE_URL')
  await expect(migrate(sql, new Date(), 'remove the folder /data/postgres')).rejects.toThrow(
    "the database was made before the first release and can't be migrated: remove the folder /data/postgres",
  )
  expect(await sql`select relname from pg_class where relname = 'users'`).toEqual([])
})

test('so is one whose first file was another before the first release', async () => {
  const sql = connect(await emptyDatabase())
  await migrate(sql, new Date())
  await sql`update schema_migrations set checksum = 'another' where version = 1`
  await expect(migrate(sql, new Date())).rejects.toThrow('made before the first release')
})

test.each([
  ['a locale that sees no Chinese', "template template0 encoding 'UTF8' locale 'C'", /locale C/],
  ['an encoding other than UTF-8', "template template0 encoding 'LATIN1' locale 'C'", /must be UTF8/],
])('a database with %s is rejected in one line', async (_name, options, words) => {
  const sql = connect(await emptyDatabase(options))
  await expect(migrate(sql, new Date())).rejects.toThrow(words)
})
