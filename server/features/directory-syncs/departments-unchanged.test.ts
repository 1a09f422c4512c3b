import { expect, onTestFinished, test } from 'vitest'
import type { DirectorySync, SyncRun } from '#shared/contract/directory-syncs.ts'
import { type DepartmentRows, departmentSyncs, SCHOOL } from '../../testing/department-syncs.ts'
import { SyncWorld } from '../../testing/directory-syncs.ts'

const syncs = new SyncWorld()
const { open, give, tree, filled } = departmentSyncs(syncs)
const word = () => syncs.account(0)

/** How many rows of the last run were told apart while they were read. */
async function agreed(sync: DirectorySync): Promise<number> {
  const [run] = await syncs.runs(sync)
  const [row] = await syncs.sql<{ n: number }[]>`
    select count(*)::int as n from directory_sync_rows where run_id = ${run?.id ?? ''} and outcome = 'unchanged'
      and xmin = (select xmin from directory_sync_rows where run_id = ${run?.id ?? ''} and row = 1)`
  return row?.n ?? 0
}

test('departments that are as the rows say are not planned again, and whatever differs plans all of them', async () => {
  const sync = await filled()
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { unchanged: 3 } })
  // Written once, when they were read.
  expect(await agreed(sync)).toBe(3)
  expect(
    (await syncs.details((await syncs.runs(sync))[0]?.id ?? '')).rows.map(({ department }) => department?.name),
  ).toEqual(['School', 'Faculty', 'Class'])
  const differing: [change: string, key: string][] = [
    [`name = 'Else'`, 'c'],
    [`code = '${word()}z'`, 'c'],
    [`position = 77`, ''],
    [`parent_id = null`, 'c'],
    [`enabled = false`, ''],
  ]
  for (const [change, key] of differing) {
    // Directly, as any part of the product could.
    await syncs.sql.unsafe(`update organizations set ${change} where code = '${word()}c'`)
    const { counts } = await syncs.run(sync)
    expect({ change, counts }).toEqual({
      change,
      counts: key ? expect.objectContaining({ unchanged: 2 }) : { unchanged: 3 },
    })
    await syncs.sql.unsafe(`update organizations set enabled = true where code = '${word()}c'`)
  }
  expect(await tree()).toEqual({ a: 'a School', b: 'a/b Faculty', c: 'a/b/c Class' })
})

test('rows that are as before are contradicted by others: a parent that is gone, a key twice, a code twice, a circle', async () => {
  const sync = await filled(open, { missing: { action: 'disable', runs: 1, days: 0 } })
  const before = await tree()
  const [a, b, c] = SCHOOL as [DepartmentRows[number], DepartmentRows[number], DepartmentRows[number]]
  const cases: [DepartmentRows, SyncRun['counts']][] = [
    [[a, c], { unchanged: 1, bad: 1 }],
    [[a, b, c, c], { unchanged: 2, bad: 2 }],
    [[['a', 'c', 'School'], b, c], { bad: 3 }],
  ]
  for (const [rows, counts] of cases) {
    await give(sync, rows)
    expect(await syncs.run(sync)).toMatchObject({ state: 'done', isComplete: false, counts })
    expect(await tree()).toEqual(before)
  }
})

test('a department that is missing and one that comes back are noticed although all other rows are as before', async () => {
  const sync = await filled(open, { missing: { action: 'disable', runs: 2, days: 0 } })
  const [a, b] = SCHOOL as [DepartmentRows[number], DepartmentRows[number]]
  await give(sync, [a, b])
  expect((await syncs.run(sync)).counts).toEqual({ unchanged: 2, missing: 1 })
  await give(sync, SCHOOL)
  expect((await syncs.run(sync)).counts).toEqual({ unchanged: 3 })
  await give(sync, [a, b])
  expect((await syncs.run(sync)).counts).toEqual({ unchanged: 2, missing: 1 })
  expect((await syncs.run(sync)).counts).toEqual({ unchanged: 2, leaver: 1 })
  expect((await tree())['c']).toBe('a/b/c Class closed')
  expect((await syncs.run(sync)).counts).toEqual({ unchanged: 2, missing: 1 })
  await give(sync, SCHOOL)
  expect((await syncs.run(sync)).counts).toEqual({ unchanged: 2, changed: 1 })
  expect((await tree())['c']).toBe('a/b/c Class')
})

test('a department that changes between the read and the plan is planned', async () => {
  const sync = await filled()
  expect((await syncs.run(sync)).counts).toEqual({ unchanged: 3 })
  // After the read has compared for the last time.
  await syncs.sql.unsafe(`
    create function rename_between() returns trigger language plpgsql as $$
      begin update organizations set name = 'Else' where code = '${word()}c'; return null; end $$;
    create trigger rename_between after update on directory_sync_runs for each row
      when (old.state = 'reading' and new.state = 'planning') execute function rename_between()`)
  onTestFinished(async () => void (await syncs.sql`drop function rename_between cascade`))
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { unchanged: 2, changed: 1 } })
  expect((await tree())['c']).toBe('a/b/c Class')
})
