import { expect, test } from 'vitest'
import {
  type DepartmentRows,
  departmentSyncs,
  OTHER_SCHOOL,
  SCHOOL,
  SCHOOL_TREE,
} from '../../testing/department-syncs.ts'
import { SyncWorld } from '../../testing/directory-syncs.ts'

const syncs = new SyncWorld()
const { mapping, give, tree, ranked, first, disagreeing, details } = departmentSyncs(syncs)
const word = () => syncs.account(0)

test('an undo leaves what a source with precedence has got since', async () => {
  const portal = await ranked('Portal', 20)
  await give(portal, SCHOOL)
  await first(portal)
  await give(portal, OTHER_SCHOOL)
  const renamed = await syncs.run(portal)
  expect(renamed.counts).toEqual({ changed: 3 })
  const hr = await ranked('HR', 10)
  await give(hr, OTHER_SCHOOL.slice(0, 2))
  expect(await first(hr)).toMatchObject({ counts: { unchanged: 2 } })
  expect((await syncs.undo(renamed)).undo).toEqual({ touched: 2, undone: 1 })
  expect(await tree()).toEqual({ a: 'a Other School', b: 'a/b Other Faculty', c: 'a/b/c Class' })
})

test('an undo leaves what a source without precedence owns by now', async () => {
  const { hr, portal } = await disagreeing()
  await give(hr, OTHER_SCHOOL)
  const renamed = await syncs.run(hr)
  expect(renamed.counts).toEqual({ changed: 3 })
  // The first source loses the last department, which is the other's from then on.
  await give(hr, OTHER_SCHOOL.slice(0, 2))
  await syncs.run(hr)
  expect(await syncs.run(portal)).toMatchObject({ counts: { unchanged: 3 } })
  expect((await syncs.undo(renamed)).undo).toEqual({ touched: 1, undone: 2 })
  expect(await tree()).toEqual({ a: 'a School', b: 'a/b Faculty', c: 'a/b/c Other Class' })
})

test('an undone move that is left to another source leaves the order there', async () => {
  const order = { column: 'order', field: 'order' }
  const portal = await ranked('Portal', 20, { mapping: [...mapping, order] })
  const lines = (parent: string) =>
    `id,parent,name,order\n${word()}a,,School,1\n${word()}b,${word()}a,Faculty,7\n${word()}c,${parent},Class,\n`
  await syncs.giveText(portal, lines(`${word()}b`))
  await first(portal)
  await syncs.sql`update organizations set position = 7 where code = ${`${word()}c`}`
  await syncs.giveText(portal, lines(`${word()}a`))
  const moved = await syncs.run(portal)
  expect(moved.counts).toMatchObject({ moved: 1 })
  const hr = await ranked('HR', 10)
  await give(hr, [
    ['a', '', 'School'],
    ['c', 'a', 'Class'],
  ])
  await first(hr)
  const before = (await details('c')).position
  expect((await syncs.undo(moved)).undo).toEqual({ touched: 1 })
  expect((await details('c')).position).toBe(before)
})

test('a source that contradicts itself about what another one owns is not complete, so nothing of it is missing', async () => {
  const { portal } = await disagreeing()
  const more: DepartmentRows = [...OTHER_SCHOOL, ['z', 'a', 'Only here']]
  await give(portal, more)
  expect(await syncs.run(portal)).toMatchObject({ counts: { new: 1 } })
  // A circle of departments that the first source places, and the one that only this source has is lost.
  await give(portal, [
    ['a', 'b', 'Other School'],
    ['b', 'a', 'Other Faculty'],
    ['c', 'b', 'Other Class'],
  ])
  const run = await syncs.run(portal)
  expect([run.isComplete, run.counts]).toEqual([false, { bad: 2, unchanged: 1 }])
  const [lost] = await syncs.sql<{ missingSince: Date | null }[]>`
    select missing_since from directory_department_links where sync_id = ${portal.id} and external_id = ${`${word()}z`}`
  expect(lost).toEqual({ missingSince: null })
  expect(await tree()).toEqual({ ...SCHOOL_TREE, z: 'a/z Only here' })
})
