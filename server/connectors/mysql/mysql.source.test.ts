import { randomUUID } from 'node:crypto'
import { type Connection, createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NO_OPTIONS } from '#shared/contract/data-source-options.ts'
import type { OpenSource, SourceSettings } from '../data-source.types.ts'
import { openMysql } from './index.ts'

/** `mysql://root@127.0.0.1:3306` of a server where databases and users may be created. */
const url = process.env['MYSQL_URL']
const isThere = url !== undefined

const name = `gatehouse_${randomUUID().slice(0, 8)}`
const password = randomUUID()
let admin: Connection
let reader: SourceSettings

beforeAll(async () => {
  if (!isThere) return
  admin = await createConnection({ uri: url, charset: 'UTF8MB4_UNICODE_CI' })
  await admin.query(`create database ${name} character set utf8mb4`)
  await admin.query(`create user ${name}@'%' identified by '${password}'`)
  await admin.query(`grant select on ${name}.* to ${name}@'%'`)
  await admin.query(
    `create table ${name}.people (no bigint primary key, name varchar(50) character set gbk, born date, note text)`,
  )
  const rows = Array.from(
    { length: 1200 },
    (_, at) => `(${9007199254740993n + BigInt(at)}, '张三丰 ${at}', '2001-02-03', null)`,
  )
  await admin.query(`insert into ${name}.people values ${rows.join(',')}`)
  const { hostname, port } = new URL(url)
  reader = {
    ...{ host: hostname, port: Number(port), database: name, user: name, password },
    ...{ tls: 'off', ca: '', timeoutSeconds: 10, options: NO_OPTIONS },
  }
})
afterAll(async () => {
  if (!isThere) return
  await admin.query(`drop database ${name}`)
  await admin.query(`drop user ${name}@'%'`)
  await admin.end()
})

async function withReader<T>(work: (source: OpenSource) => Promise<T>, settings = reader): Promise<T> {
  const source = await openMysql(settings)
  try {
    return await work(source)
  } finally {
    await source.close()
  }
}

async function readAll(source: OpenSource, columns: string[]): Promise<string[][]> {
  const rows: string[][] = []
  for await (const batch of source.read('people', columns)) rows.push(...batch)
  return rows
}

test.runIf(isThere)(
  'all rows of a MariaDB table are read as text: numbers in full, dates as written, GBK as characters',
  async () => {
    await withReader(async (source) => {
      expect(source.server).toMatch(/MariaDB|MySQL/)
      expect(await source.tables(10)).toEqual(['people'])
      expect((await source.columns('people')).map(({ name: column }) => column)).toEqual(['no', 'name', 'born', 'note'])
      expect(await source.count('people')).toBe(1200)
      expect(await source.repeated('people', 'no')).toEqual({ repeated: 0, empty: 0 })
      const rows = await readAll(source, ['no', 'name', 'born', 'note'])
      expect(rows).toHaveLength(1200)
      expect(rows[0]).toEqual(['9007199254740993', '张三丰 0', '2001-02-03', ''])
    })
  },
)

test.runIf(isThere)('a read sees one snapshot, whatever is deleted meanwhile', async () => {
  await withReader(async (source) => {
    expect(await source.count('people')).toBe(1200)
    await admin.query(`delete from ${name}.people where no % 2 = 0`)
    expect(await readAll(source, ['no'])).toHaveLength(1200)
  })
})

test.runIf(isThere)('a user with write access is recognised, and a table name is never executed', async () => {
  expect(await withReader((source) => source.mayWrite('people'))).toBe(false)
  await admin.query(`grant insert on ${name}.* to ${name}@'%'`)
  await withReader(async (source) => {
    expect(await source.mayWrite('people')).toBe(true)
    await expect(source.columns('people; drop table people')).rejects.toMatchObject({ problem: 'no-table' })
  })
})

test.runIf(isThere)('each error has its own code: password, address, table, column', async () => {
  await expect(openMysql({ ...reader, password: 'wrong' })).rejects.toMatchObject({ problem: 'login-refused' })
  await expect(openMysql({ ...reader, port: 1 })).rejects.toMatchObject({ problem: 'unreachable' })
  await withReader(async (source) => {
    await expect(source.count('nobody')).rejects.toMatchObject({ problem: expect.stringMatching(/no-table|no-rights/) })
    await expect(readAll(source, ['nothing'])).rejects.toMatchObject({ problem: 'no-column' })
  })
})

test.runIf(isThere)('a connection that is lost in the middle of a read ends it with an error', async () => {
  await admin.query(`create view ${name}.many as select a.no, b.name from ${name}.people a cross join ${name}.people b`)
  const source = await openMysql(reader)
  const lose = async () => {
    const [rows] = await admin.query('select id from information_schema.processlist where user = ?', [name])
    for (const { id } of rows as { id: number }[]) await admin.query(`kill ${id}`)
  }
  const readAll = async () => {
    let batches = 0
    for await (const _ of source.read('many', ['no', 'name'])) if (batches++ === 0) await lose()
  }
  await expect(readAll()).rejects.toMatchObject({ problem: 'cut-off' })
  await source.close()
})
