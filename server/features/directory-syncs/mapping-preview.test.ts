import { expect, test } from 'vitest'
import { SyncWorld } from '../../testing/directory-syncs.ts'
import { setFieldRules } from '../../testing/sign-in.ts'

const syncs = new SyncWorld()

type Row = { problems: string[]; values: { value: string; problem: string | null }[] }
type Preview = { problem: string | null; rows: Row[] }

const previewRows = async (sourceId: string, more: object): Promise<Row[]> => {
  const { data } = await syncs.root.call<Preview>('/directory_sync/preview/', {
    body: { sourceId, keyColumn: 'no', ...more },
  })
  expect(data.problem).toBeNull()
  return data.rows
}
const preview = async (sourceId: string, more: object) =>
  (await previewRows(sourceId, more)).map(({ values }) => values.map(({ value, problem }) => problem ?? value))
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
  const dated = { field: 'organization', column: 'organization', transforms: [{ kind: 'date', format: 'YYYY-MM-DD' }] }
  const [failed] = await preview(sync.sourceId, { mapping: [...entries('account'), dated], withDepartments: true })
  expect(failed?.[1]).toContain('nowhere')
  expect(failed?.[1]).not.toBe('nowhere')
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

test('a preview shows what the plan of a run says of the same rows', async () => {
  await setFieldRules(syncs.server, {
    'name.format': { pattern: '[A-Z].*', minLength: 0, maxLength: 10 },
  })
  const mapping = entries('account', 'name', 'nickname', 'mailbox', 'phone')
  const sync = await syncs.newSync({ mapping, matchBy: ['account'] })
  const at = syncs.account
  await syncs.giveText(
    sync,
    `no,account,name,nickname,mailbox,phone
1,${at(1)},Good,good,${at(1)}@example.edu,13900${at(1)}0
2,${at(2)},A name that is too long,good,,
3,${at(3)},bad format,,,
4,${at(4)},Bad mail,,nothing,123
5,${at(5)},Same mail,,${at(1)}@example.edu,
6,a b,,,,
,${at(7)},No key,,,
8,${at(8)},Same key,,,
8,${at(8)}9,Same key,,,
`,
  )
  const rows = await previewRows(sync.sourceId, { mapping, matchBy: sync.matchBy })
  const shown = rows.map(({ problems, values }) => [...problems, ...values.flatMap(({ problem }) => problem ?? [])])
  const planned = await syncs.details((await syncs.run(sync, true)).id)
  const told = planned.rows.map(({ problems }) => problems.map((one) => one.replace(/^[^:]+: /, '')))
  expect(shown).toEqual(told)
  expect(shown.map((problems) => problems.length > 0)).toEqual([false, true, true, true, true, true, true, true, true])
})
