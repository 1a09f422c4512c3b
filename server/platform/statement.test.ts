import { expect, test } from 'vitest'
import { testServer } from '../testing/server.ts'
import { createStatement, toFragment } from './statement.ts'

test('a statement sends each named parameter once and leaves casts unchanged', async () => {
  const { sql } = (await testServer()).platform
  const find = createStatement<{ a: string; b: string; c: number }>(
    'select :name::text as a, :name::text as b, :count::int as c',
  )
  expect([...(await find(sql, { name: "o'; drop", count: 2 }))]).toEqual([{ a: "o'; drop", b: "o'; drop", c: 2 }])
  const { statement, columns } = await find(sql, { name: 'x', count: 1 })
  expect(statement.string).toBe('select $1::text as a, $1::text as b, $2::int as c')
  expect(columns).toHaveLength(3)
})

test('the same text serves as a part of a larger query', async () => {
  const { sql } = (await testServer()).platform
  const part = toFragment(sql, ':low::int + :high::int', { low: 1, high: 2 })
  expect([...(await sql`select ${part} as sum, ${3}::int as more`)]).toEqual([{ sum: 3, more: 3 }])
})
