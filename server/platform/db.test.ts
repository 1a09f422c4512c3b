import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { until } from '../testing/process.ts'
import { testServer } from '../testing/server.ts'
import { randomToken } from './crypto.ts'
import { isRefusingWrites, openDatabase } from './db.ts'

function open(max: number) {
  const sql = openDatabase(inject('adminUrl'), { max })
  onTestFinished(() => sql.end({ timeout: 1 }))
  return sql
}

test('a reserved connection whose backend died fails its next statement instead of ending the process', async () => {
  const sql = open(2)
  const held = await sql.reserve()
  const [row] = await held<{ pid: number }[]>`select pg_backend_pid() as pid`
  await sql`select pg_terminate_backend(${row?.pid ?? 0})`
  await expect(held`select 1`).rejects.toThrow()
  await expect(held`select 2`).rejects.toMatchObject({ code: expect.stringMatching(/^CONNECTION_/) })
  held.release()
  expect(await sql`select 3 as three`).toEqual([{ three: 3 }])
})

test('a transaction whose connection was cut does not continue outside it', async () => {
  const [sql, killer] = [open(1), open(1)]
  const table = `cut_${randomToken(10).toLowerCase()}`
  await killer.unsafe(`create table ${table} (step int)`)
  const late: Promise<unknown>[] = []
  const work = sql.begin(async (tx) => {
    await tx`insert into ${tx(table)} values (1)`
    const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    await killer`select pg_terminate_backend(${row?.pid ?? 0})`
    // The pool has a new connection by now, which is not this transaction's.
    await until(async () => (await sql`select 1 as one`.catch(() => [])).length === 1, 5000)
    late.push(tx`insert into ${tx(table)} values (2)`.execute().catch((error: unknown) => error))
    await Promise.all(late)
  })
  await expect(work).rejects.toThrow()
  await until(() => late.length === 1, 5000)
  expect((await Promise.all(late))[0]).toBeInstanceOf(Error)
  expect(await killer.unsafe(`select * from ${table}`)).toEqual([])
  await killer.unsafe(`drop table ${table}`)
})

test('that writes are refused is also known of the pool that a test lends to its server', async () => {
  const { sql } = (await testServer()).platform
  const write = sql.begin('read only', (tx) => tx`delete from settings`)
  await expect(write).rejects.toMatchObject({ code: '25006' })
  expect(isRefusingWrites(sql)).toBe(true)
  await vi.waitFor(() => expect(isRefusingWrites(sql)).toBe(false), { timeout: 20_000 })
})
