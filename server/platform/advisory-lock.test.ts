import { expect, inject, onTestFinished, test } from 'vitest'
import { withAdvisoryLock } from './advisory-lock.ts'
import { openDatabase } from './db.ts'

const KEY = 77_001

function open(max: number) {
  const sql = openDatabase(inject('adminUrl'), { max })
  onTestFinished(() => sql.end({ timeout: 1 }))
  return sql
}

test('more calls under one lock than there are connections all complete, one after the other, on two nodes', async () => {
  const nodes = [open(2), open(2)]
  let underWay = 0
  let most = 0
  const work = (sql: ReturnType<typeof open>) => async () => {
    most = Math.max(most, ++underWay)
    await sql`select 1`
    underWay -= 1
    return 'done'
  }
  const calls = nodes.flatMap((sql) => Array.from({ length: 8 }, () => withAdvisoryLock(sql, KEY, work(sql))))
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['done']))
  expect(most).toBe(1)
})

test('a failing call reports to its caller only, and the next one runs', async () => {
  const sql = open(2)
  const failing = withAdvisoryLock(sql, KEY + 1, () => Promise.reject(new Error('no')))
  const next = withAdvisoryLock(sql, KEY + 1, async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})
