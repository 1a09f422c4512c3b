import { expect, test } from 'vitest'
import { SyncWorld } from '../../testing/directory-syncs.ts'

const syncs = new SyncWorld()

type Preview = { problem: string | null; rows: { values: { value: string; problem: string | null }[] }[] }

const preview = async (sourceId: string, more: object) => {
  const { data } = await syncs.root.call<Preview>('/directory_sync/preview/', {
    body: { sourceId, keyColumn: 'no', ...more },
  })
  expect(data.problem).toBeNull()
  return data.rows.map(({ values }) => values.map(({ value, problem }) => problem ?? value))
}
const entries = (...fields: string[]) => fields.map((field) => ({ field, column: field }))

test('a preview shows the words that a run would refuse', async () => {
  const sync = await syncs.newSync()
  const made = await syncs.root.call('/user_category/create/', {
    body: { code: `cat-${syncs.account(1)}`, name: 'Guests' },
  })
  expect(made.envelope).toMatchObject({ state: 200 })
  await syncs.giveText(
    sync,
    `no,account,category,organization,gender\n1,a1,cat-${syncs.account(1)},nowhere,f\n2,,strangers,,either\n`,
  )
  const mapping = entries('account', 'category', 'organization', 'gender')
  expect(await preview(sync.sourceId, { mapping })).toEqual([
    ['a1', `cat-${syncs.account(1)}`, 'There is no department “nowhere” that you can import into.', 'f'],
    ['Please fill this in.', 'Unknown category “strangers”.', '', 'Write male, female or unknown.'],
  ])
  // Departments of the same source come first: nobody knows yet which there will be.
  const [first] = await preview(sync.sourceId, { mapping, withDepartments: true })
  expect(first?.[2]).toBe('nowhere')
})

test('so does that of departments', async () => {
  const sync = await syncs.newSync()
  await syncs.giveText(sync, 'no,name,code,attribute,order\n1,Maps,maps,,3\n2,,a b,teaching-not,third\n')
  const mapping = entries('name', 'code', 'attribute', 'order')
  const [good, bad] = await preview(sync.sourceId, { of: 'departments', mapping })
  expect(good).toEqual(['Maps', 'maps', '', '3'])
  expect(bad).toEqual([
    expect.stringMatching(/name/i),
    expect.stringContaining('a b'),
    expect.stringContaining('teaching-not'),
    expect.stringContaining('third'),
  ])
})
