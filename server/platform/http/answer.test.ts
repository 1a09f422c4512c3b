import { readFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../db.ts'
import { refusalOf } from './answer.ts'

const thrownBy = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error)

test('a database whose socket is not there is away: come back soon', async () => {
  const sql = openDatabase('postgres://anyone@%2Fno%2Fsuch%2Ffolder/any')
  onTestFinished(() => sql.end({ timeout: 0 }))
  const error = await thrownBy(sql`select 1`)
  expect(error).toMatchObject({ code: 'ENOENT' })
  expect(refusalOf(error)).toMatchObject({ code: 'service.unavailable', status: 503, retryAfter: 2 })
})

test('a file that is not there says nothing about the database: it is an error of ours', async () => {
  const error = await thrownBy(readFile('/no/such/file'))
  expect(error).toMatchObject({ code: 'ENOENT' })
  expect(refusalOf(error)).toMatchObject({ code: 'server.error', status: 500 })
})
