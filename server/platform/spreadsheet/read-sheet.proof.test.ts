import { expect, test } from 'vitest'
import { cellsOf, refusalOf, rowsOf } from '../../testing/read-sheet.ts'
import { workbookOf } from '../../testing/sheets.ts'

/** A sheet with this many identical units. */
const unpacking = (bytes: number, unit: string, head: string, tail: string) =>
  Buffer.concat([
    Buffer.from(`<worksheet>${head}`),
    Buffer.alloc(bytes - (bytes % unit.length), unit),
    Buffer.from(`${tail}</worksheet>`),
  ])

const ROW = '<row r="1"><c r="A1" t="str"><v>a</v></c></row>'
const BOMBS: [what: string, unit: string, head: string, tail: string][] = [
  ['spaces', ' ', `<sheetData>${ROW}`, '</sheetData>'],
  ['one long cell', 'a', '<sheetData><row><c t="str"><v>', '</v></c></row></sheetData>'],
  ['empty cells', `<row>${'<c/>'.repeat(16_000)}</row>`, `<sheetData>${ROW}`, '</sheetData>'],
  ['entities', '&lt;', '<sheetData><row><c t="str"><v>', '</v></c></row></sheetData>'],
  ['long tags', `<a b="${'x'.repeat(900_000)}"/>`, `<sheetData>${ROW}`, '</sheetData>'],
  ['cells with many attributes', `<row><c${' x="y"'.repeat(100_000)}/></row>`, `<sheetData>${ROW}`, '</sheetData>'],
  ['tags behind the merged cells', '<a/>', '<mergeCells></mergeCells><sheetData>', '</sheetData>'],
]
test.each(BOMBS)(
  'a small file that unpacks to 300 MB of %s is rejected within two seconds of work',
  {
    timeout: 120_000,
  },
  async (_what, unit, head, tail) => {
    const bomb = workbookOf({ sheet: unpacking(300_000_000, unit, head, tail) })
    expect(bomb.length).toBeLessThan(1_000_000)
    const [outcome, seconds] = await workOf(() => refusalOf(bomb))
    expect(outcome).toBe('sheet.too-big-inside')
    expect(seconds).toBeLessThan(2)
  },
)

test('texts consisting only of entities, and endless lines, are rejected within two seconds of work', {
  timeout: 120_000,
}, async () => {
  const strings = workbookOf({ sheet: '<sheetData/>', strings: Array<string>(2000).fill('&'.repeat(10_000)) })
  const lines = Buffer.concat([Buffer.from('a\n'), Buffer.alloc(50_000_000, '\n'), Buffer.from('b')])
  const outcomes = [await workOf(() => refusalOf(strings)), await workOf(() => refusalOf(lines))]
  expect(outcomes.map(([code]) => code)).toEqual(['sheet.too-big-inside', 'sheet.too-many-rows'])
  expect(Math.max(...outcomes.map(([, seconds]) => seconds))).toBeLessThan(2)
})

/** The result, and the CPU time of our thread: the wall clock depends on the machine. */
async function workOf<T>(work: () => Promise<T>): Promise<[T, number]> {
  const before = process.threadCpuUsage()
  const outcome = await work()
  const { user, system } = process.threadCpuUsage(before)
  return [outcome, (user + system) / 1_000_000]
}

test('bombs and entities are rejected before they cost anything', async () => {
  const external =
    '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><worksheet><sheetData><row><c t="str"><v>&e;</v></c></row></sheetData></worksheet>'
  const undeclared = '<sheetData><row><c t="str"><v>&e;</v></c></row></sheetData>'
  const began = performance.now()
  const memory = process.memoryUsage().rss
  expect(await refusalOf(workbookOf({ sheet: Buffer.from(external) }))).toBe('sheet.unsafe')
  expect(await refusalOf(workbookOf({ sheet: undeclared }))).toBe('sheet.unsafe')
  expect(await refusalOf(workbookOf({ sheet: Buffer.from(`<worksheet a="${'x'.repeat(3_000_000)}`) }))).toBe(
    'sheet.too-big-inside',
  )
  // One cell of 30 MB: only what a cell may hold is kept.
  const long = unpacking(30_000_000, 'a', '<sheetData><row><c t="str"><v>', '</v></c></row></sheetData>')
  expect((await rowsOf(workbookOf({ sheet: long })))[0]?.cells[0]).toHaveLength(2001)
  const corner =
    '<sheetData><row r="1"><c r="A1" t="str"><v>a</v></c></row><row r="1048576"><c r="XFD1048576" t="str"><v>b</v></c></row></sheetData>'
  expect(await refusalOf(workbookOf({ sheet: corner }))).toBe('sheet.too-many-columns')
  const merged =
    '<sheetData><row r="1"><c r="A1" t="str"><v>a</v></c></row></sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'
  expect(await cellsOf(workbookOf({ sheet: merged }))).toEqual([['a']])
  expect(await refusalOf('a\n'.repeat(1002))).toBe('sheet.too-many-rows')
  expect(await refusalOf(`${','.repeat(300)}x`)).toBe('sheet.too-many-columns')
  expect((await rowsOf(`${'a,'.repeat(199)}a\n${'1,'.repeat(199)}1`))[1]?.cells).toHaveLength(200)
  expect(performance.now() - began).toBeLessThan(20_000)
  expect(process.memoryUsage().rss - memory).toBeLessThan(900_000_000)
})

test('a small file with many texts takes little memory, and those of 200,000 people fit', {
  timeout: 60_000,
}, async () => {
  const sheet = '<sheetData><row><c t="s"><v>999999</v></c></row></sheetData>'
  const few = Array.from({ length: 1_000_000 }, (_, at) => `s${at}@edu.cn`)
  expect(await cellsOf(workbookOf({ sheet, strings: few }))).toEqual([['s999999@edu.cn']])
  const memory = process.memoryUsage().rss
  const many = workbookOf({ sheet, strings: Array<string>(1_600_000).fill('x') })
  const long = workbookOf({ sheet, strings: Array<string>(17_000).fill('长'.repeat(1000)) })
  expect([await refusalOf(many), await refusalOf(long)]).toEqual(['sheet.too-big-inside', 'sheet.too-big-inside'])
  expect(process.memoryUsage().rss - memory).toBeLessThan(600_000_000)
  // A text of any length is kept up to one character beyond the limit, before it is checked for each of its cells.
  const strings = [`${'_x000D_'.repeat(5)}${'b'.repeat(5_000_000)}`]
  const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(4)}</row>`
  const [cells] = await cellsOf(workbookOf({ sheet: `<sheetData>${row}</sheetData>`, strings }))
  expect(cells?.map(({ length }) => length)).toEqual([2001, 2001, 2001, 2001])
})

test('a small file crafted to be slow is read or rejected at once', async () => {
  const open = `<sheetData><row r="1"><c r="${'>'.repeat(900_000)}`
  const areas = '<mergeCell ref="A1:IV1048576"/>'.repeat(20_000)
  const rows = Array.from({ length: 200 }, (_, at) => `<row r="${at + 1}"><c r="A${at + 1}"><v>1</v></c></row>`).join(
    '',
  )
  const merged = `<sheetData>${rows}</sheetData><mergeCells>${areas}</mergeCells>`
  const begun = performance.now()
  expect(await refusalOf(workbookOf({ sheet: open }))).toBe('sheet.broken')
  expect(await refusalOf(workbookOf({ sheet: merged }))).toBe('sheet.broken')
  const cell = '<sheetData><row r="1"><c r="A1" s="1"><v>7</v></c></row></sheetData>'
  for (const sign of ['[', '0']) {
    expect(await cellsOf(workbookOf({ sheet: cell, formats: [sign.repeat(900_000)] }))).toEqual([['7']])
  }
  expect(performance.now() - begun).toBeLessThan(3000)
})
