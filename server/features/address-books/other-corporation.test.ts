import { expect, test } from 'vitest'
import type { BookSync } from '#shared/contract/address-books.ts'
import { BookWorld } from '../../testing/address-books.ts'
import { hold } from '../../testing/lock-waits.ts'

const books = new BookWorld()

/** As it is now, but for another corporation. */
async function moveAway({ id }: BookSync) {
  const { data } = await books.root.call<BookSync>(`/book_sync/${id}/details/`)
  const { rootNames, categoryNames, responsible, nextRunAt, ...more } = data
  const { id: _, linkedPeople, linkedDepartments, lastRun, updatedAt, ...fields } = more
  const body = { ...fields, application: 'ww0000000000000009', secret: 'secret-of-the-other-one' }
  return await books.root.call(`/book_sync/${id}/update/`, { body })
}

test('a run of one corporation neither goes on in another one nor is undone there', async () => {
  const sync = await books.filledSync('qywx')
  const [done] = await books.runs(sync)
  const reading = await hold(books.sql, (sql) => sql`lock table book_rows in share mode`, '%book_rows%')
  const { data: run } = await books.start(sync)
  await reading.reached()
  expect((await moveAway(sync)).envelope).toMatchObject({ state: 409, code: 'book-sync.running' })
  await reading.release()
  expect((await books.settled(run.id)).state).toBe('done')
  expect((await moveAway(sync)).status).toBe(200)
  const { envelope } = await books.root.call(`/book_sync_run/${done?.id}/undo/`, { body: { reason: 'A mistake' } })
  expect(envelope).toMatchObject({ state: 409, code: 'book-sync.forgotten' })
})
