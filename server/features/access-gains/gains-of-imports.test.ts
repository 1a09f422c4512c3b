import { afterAll, beforeAll, expect, test } from 'vitest'
import { IMPORT_FIELDS, type ImportField } from '#shared/contract/user-imports.ts'
import { type Gains, startGains } from '../../testing/gains.ts'
import { accept, reportOf, settled, step, upload } from '../../testing/imports.ts'
import type { Portal } from '../../testing/portal.ts'

let school: Gains
beforeAll(async () => {
  school = await startGains()
})
afterAll(() => school.close())

type Cell = { text: (n: number) => string; gives: string | null }
const cell = (text: string): Cell => ({ text: () => text, gives: null })

/** Each column of a file with the cell that grants the most. */
const COLUMNS: Record<Exclude<ImportField, 'account' | 'roles'>, Cell> = {
  organization: { text: () => 'within', gives: 'VAULT' },
  secondaryOrganizations: { text: () => 'rich;readers', gives: 'PRESS, Role reader, VAULT' },
  category: { text: () => 'insider', gives: 'SAFE' },
  name: cell('Renamed'),
  personnelType: cell('guest'),
  gender: cell('female'),
  birthday: cell('2001-02-03'),
  phone: { text: (n) => `1381111${1000 + n}`, gives: null },
  mailbox: { text: (n) => `i${n}@example.edu`, gives: null },
  alias: { text: (n) => `imported-${n}`, gives: null },
  nickname: cell('Nick'),
  idNumber: cell('11010519491231002X'),
  validFrom: cell('2020-01-01'),
  validUntil: cell('2090-01-01'),
  enabled: cell('0'),
}
const columns = Object.entries(COLUMNS)

/** One row per column, filling only that one besides the required ones. */
async function fileOf(isNew: boolean): Promise<string[][]> {
  const fields = ['account', 'name', ...Object.keys(COLUMNS).filter((field) => field !== 'name')]
  const rows: string[][] = []
  for (const [field, { text }] of columns) {
    const n = school.next()
    const known = isNew
      ? { account: `file-${n}`, name: 'New', organization: 'poor' }
      : { account: (await school.somebody()).account }
    const given: Record<string, string> = { ...known, [field]: text(n) }
    rows.push(fields.map((one) => given[one] ?? ''))
  }
  return [fields, ...rows]
}

async function run(page: Portal, id: string, ...names: ('check' | 'start' | 'undo')[]) {
  for (const name of names) {
    expect([name, (await step(page, id, name)).status]).toEqual([name, 200])
    if ((await settled(page, id)).counts.doubtful > 0 && name === 'check') await accept(page, id)
  }
  return await settled(page, id)
}

test.each([
  ['new', true],
  ['known', false],
])(
  'a file of %s people: a row that would give somebody applications is refused with column and reason',
  async (_, isNew) => {
    const { editor, nothingGained } = school
    const file = await fileOf(isNew)
    const { id } = (await upload(editor, file.map((row) => row.join(',')).join('\n'))).data
    await run(editor, id, 'check')
    const gained = nothingGained('import', () => run(editor, id, 'start'))
    expect(await gained).toMatchObject({ state: 'finished' })
    const report = await reportOf(editor, id)
    const told = report.map(({ problems, written }, at) => [columns[at]?.[0], written, problems])
    const expected = columns.map(([field, { gives }], at) => {
      const value = file[at + 1]?.[file[0]?.indexOf(field) ?? 0]
      const reason = expect.stringContaining(`gain: ${gives}. That also requires the permission “Grant applications”`)
      return [field, gives === null, gives === null ? [] : [{ column: field, value, reason }]]
    })
    expect(told).toEqual(expected)
  },
)

test('every column of a file is in the test above, or is for super users alone', async () => {
  expect(['account', 'roles', ...Object.keys(COLUMNS)].toSorted()).toEqual(IMPORT_FIELDS.toSorted())
  const { id } = (await upload(school.editor, 'account,roles\nx,reader')).data
  expect((await step(school.editor, id, 'check')).envelope.code).toBe('import.columns-not-allowed')
})

test('a file is judged at the time it is written, by the importer’s permissions at that time', async () => {
  const { granter, server } = school
  const user = await school.somebody()
  const { id } = (await upload(granter, `account,category\n${user.account},insider`)).data
  expect((await run(granter, id, 'check')).counts).toMatchObject({ changed: 1 })
  await server.platform.sql`
    update appointments set permissions = array_remove(permissions, 'authorise') where user_id = ${granter.user.userId}`
  const { counts } = await school.nothingGained('import', () => run(granter, id, 'start'))
  expect(counts).toMatchObject({ bad: 1, written: 0 })
})

test('undoing an import that took applications away does not hand them out again', async () => {
  const user = await school.somebody({ categoryId: school.id('insider') })
  const { id } = (await upload(school.editor, `account,category\n${user.account},plain`)).data
  expect((await run(school.editor, id, 'check', 'start')).counts).toMatchObject({ written: 1 })
  const undone = await school.nothingGained('undo', () => run(school.editor, id, 'undo'))
  expect(undone).toMatchObject({ undo: { undone: 0, kept: 1 } })
  expect((await reportOf(school.editor, id))[0]?.undo).toMatch(/applications.*“Grant applications”/)
})
