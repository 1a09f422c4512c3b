import { expect, test } from 'vitest'
import { cellsOf, refusalOf, rowsOf } from '../../testing/read-sheet.ts'
import { workbookOf, zipOf } from '../../testing/sheets.ts'

const utf16 = (text: string, isBig = false) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}
const GB = Buffer.from('d1a7bac52cd0d5c3fb0a303030312cd5c5c8fd0a303030322c8139ef30', 'hex')

test('a csv file is read in every encoding that programs here write', async () => {
  const text = '学号,姓名\n0001,𠮷野\n'
  const expected = [
    ['学号', '姓名'],
    ['0001', '𠮷野'],
  ]
  expect(await cellsOf(text)).toEqual(expected)
  expect(await cellsOf(`\ufeff${text}`)).toEqual(expected)
  expect(await cellsOf(utf16(text))).toEqual(expected)
  expect(await cellsOf(utf16(text, true))).toEqual(expected)
  const gb = await cellsOf(GB)
  expect(gb.slice(0, 2)).toEqual([
    ['学号', '姓名'],
    ['0001', '张三'],
  ])
  // A character that only the four-byte form of GB 18030 has.
  expect(gb[2]?.[1]).toBe('㐁')
  expect(await refusalOf(Buffer.concat([GB, Buffer.from([0xff, 0xff])]))).toBe('sheet.unknown-encoding')
})

test('separators, quotes and line ends are interpreted as intended', async () => {
  expect(await cellsOf('a;b\r\n"x ""q""\r\nz"; 2 \r\r\n"";\r\n')).toEqual([
    ['a', 'b'],
    ['x "q"\r\nz', '2'],
  ])
  expect(await cellsOf('a\tb,c\n1\t2')).toEqual([
    ['a', 'b,c'],
    ['1', '2'],
  ])
  expect(await cellsOf('sep=;\na,x;b\n1;2')).toEqual([
    ['a,x', 'b'],
    ['1', '2'],
  ])
  expect((await rowsOf('a\n\n\n4')).map(({ row }) => row)).toEqual([1, 4])
  expect(await cellsOf('a,b\n\u3000x\u3000,\u200by\ufeff\n')).toEqual([
    ['a', 'b'],
    ['x', 'y'],
  ])
})

test('in a csv file a formula is reported, and a prefix that only kept a text from being one is removed', async () => {
  const [, row] = await rowsOf(`a,b,c,d\n=1+1,"=""007""",'+8613800000001,'tis\n`)
  expect(row).toEqual({ row: 2, cells: ['=1+1', '007', '+8613800000001', "'tis"], notes: { 0: 'formula' } })
})

test('cells of a workbook are read as displayed, and what nobody typed is marked', async () => {
  const sheet = `<sheetData>
    <row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><r><t>x</t></r><rPh sb="0" eb="1"><t>no</t></rPh><r><t xml:space="preserve"> &amp; y </t></r></is></c></row>
    <row r="3"><c r="A3"><v>20260001</v></c><c r="B3"><v>2.0260001E7</v></c><c r="C3" s="1"><v>42</v></c><c r="D3" s="2"><v>36892</v></c><c r="E3" s="2"><v>36892.5</v></c>
      <c r="F3"><v>1.1010519900101121E+17</v></c><c r="G3"><f>A3+1</f><v>20260002</v></c><c r="H3" t="e"><v>#N/A</v></c><c r="I3" t="b"><v>1</v></c><c r="J3"><v>0.1</v></c></row>
    <row r="4"><c t="str"><v>a_x000D_b</v></c><c><v>5</v></c></row></sheetData>
    <mergeCells count="1"><mergeCell ref="B4:C9"/></mergeCells>`
  const book = workbookOf({ sheet, strings: ['学号 <1>'], formats: ['00000000', 'yyyy"年"m"月"d"日"'] })
  expect(await rowsOf(book)).toEqual([
    { row: 1, cells: ['学号 <1>', '', 'x & y'], notes: null },
    {
      row: 3,
      cells: [
        '20260001',
        '20260001',
        '00000042',
        '2001-01-01',
        '2001-01-01 12:00:00',
        '110105199001011216',
        '20260002',
        '#N/A',
        'TRUE',
        '0.1',
      ],
      notes: { 5: 'inexact', 6: 'formula', 7: 'error' },
    },
    { row: 4, cells: ['a\rb', '5'], notes: { 1: 'merged', 2: 'merged' } },
  ])
  const dated = workbookOf({
    sheet: '<sheetData><row><c s="1"><v>35430</v></c></row></sheetData>',
    formats: ['m/d/yy'],
    is1904: true,
  })
  expect(await cellsOf(dated)).toEqual([['2001-01-01']])
})

test('half a surrogate pair, which nothing can store, is shown as a replacement character', async () => {
  const cells = ['_xD800_', 'a_xDFFF_b', '_xD83D__xDE00_'].map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`)
  const sheet = `<sheetData><row>${cells.join('')}<c t="s"><v>0</v></c></row></sheetData>`
  expect(await cellsOf(workbookOf({ sheet, strings: ['_xDC00_'] }))).toEqual([['\ufffd', 'a\ufffdb', '😀', '\ufffd']])
})

test('a file that is not what it claims is rejected by its content', async () => {
  const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)])
  const encrypted = Buffer.concat([ole, Buffer.from('EncryptedPackage', 'utf16le')])
  const cases: [Buffer | string, string][] = [
    ['', 'sheet.empty'],
    ['\n\n,,\n', 'sheet.empty'],
    [ole, 'sheet.old-excel'],
    [encrypted, 'sheet.encrypted'],
    ['<html><table><tr><td>1</td></tr></table></html>', 'sheet.not-a-sheet'],
    ['%PDF-1.7', 'sheet.not-a-sheet'],
    [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]), 'sheet.not-a-sheet'],
    [zipOf({ 'word/document.xml': '<w/>', '[Content_Types].xml': '<Types/>' }), 'sheet.not-a-sheet'],
    [workbookOf({ sheet: '<sheetData/>' }).subarray(0, 400), 'sheet.broken'],
    [workbookOf({ sheet: '<sheetData><row><c t="s"><v>7</v></c></row></sheetData>' }), 'sheet.broken'],
    [workbookOf({ sheet: '<sheetData><row r="2"/><row r="1"/></sheetData>' }), 'sheet.broken'],
    ['a,"b', 'sheet.broken'],
  ]
  for (const [bytes, code] of cases) expect([code, await refusalOf(bytes)]).toEqual([code, code])
})

test('an archive that contains a part twice, encrypts one, or points outside itself is rejected', async () => {
  const book = () => workbookOf({ sheet: '<sheetData><row><c t="str"><v>a</v></c></row></sheetData>' })
  /** Modifies the first entry of the central directory, or its end. */
  const changed = (signature: number, change: (bytes: Buffer, at: number) => void) => {
    const bytes = book()
    const mark = Buffer.alloc(4)
    mark.writeUInt32LE(signature)
    change(bytes, bytes.indexOf(mark))
    return bytes
  }
  const [CENTRAL, END] = [0x02014b50, 0x06054b50]
  const cases: [Buffer, string][] = [
    [changed(CENTRAL, (bytes, at) => bytes.writeUInt16LE(1, at + 8)), 'sheet.encrypted'],
    [changed(CENTRAL, (bytes, at) => bytes.writeUInt16LE(0x41, at + 8)), 'sheet.encrypted'],
    [changed(CENTRAL, (bytes, at) => bytes.write('../', at + 46)), 'sheet.broken'],
    [changed(END, (bytes, at) => bytes.writeUInt32LE(0x7fffffff, at + 16)), 'sheet.broken'],
    [changed(END, (bytes, at) => bytes.writeUInt16LE(7, at + 10)), 'sheet.broken'],
    [changed(END, (bytes, at) => bytes.writeUInt16LE(60_000, at + 10)), 'sheet.too-big-inside'],
    [zipOf({ 'xl/a.xml': '<a/>', 'XL/A.xml': '<a/>' }), 'sheet.broken'],
  ]
  for (const [bytes, code] of cases) expect([code, await refusalOf(bytes)]).toEqual([code, code])
})

const ROW = '<row r="1"><c r="A1" t="str"><v>a</v></c></row>'

test('what programs write around the rows is no bomb: a million empty rows and formats for whole columns', {
  timeout: 60_000,
}, async () => {
  const empty = Array.from({ length: 1_000_000 }, (_, at) => `<row r="${at + 2}" spans="1:3" s="1" customFormat="1"/>`)
  expect(await cellsOf(workbookOf({ sheet: `<sheetData>${ROW}${empty.join('')}</sheetData>` }))).toEqual([['a']])
  const styled = (row: number) => `<row r="${row}"><c r="A${row}" t="str"><v>a</v></c>${'<c s="1"/>'.repeat(100)}</row>`
  const rows = Array.from({ length: 1000 }, (_, at) => styled(at + 1)).join('')
  expect(await cellsOf(workbookOf({ sheet: `<sheetData>${rows}</sheetData>` }))).toHaveLength(1000)
})

test('a row or a file with more than people need is rejected, however small it is packed', async () => {
  const cell = '<c t="s"><v>0</v></c>'
  const book = (row: string, count: number) =>
    workbookOf({ sheet: `<sheetData>${row.repeat(count)}</sheetData>`, strings: ['A'.repeat(2000), 'B'.repeat(400)] })
  const refusal = await rowsOf(book(`<row>${cell.repeat(5)}</row>`, 1)).catch((error) => error)
  expect(refusal).toMatchObject({ code: 'sheet.row-too-long', params: { row: 1, most: 10_000 } })
  expect(await rowsOf(book(`<row>${cell.repeat(4)}</row>`, 100))).toHaveLength(100)
  const tooMuch = await rowsOf(book(`<row>${cell.repeat(4)}</row>`, 150)).catch((error) => error)
  expect(tooMuch).toMatchObject({ code: 'sheet.too-much-text', params: { most: 1 } })
  // Cells without text, and notes, are stored too.
  expect(await refusalOf(book('<row><c r="IV1" t="s"><v>1</v></c></row>', 900))).toBe('sheet.too-much-text')
  expect(await refusalOf(`a${',x'.repeat(255)}\n${`${Array(256).fill('=').join(',')}\n`.repeat(900)}`)).toBe(
    'sheet.too-much-text',
  )
  expect(await refusalOf(`account\n${`${'y'.repeat(1990)},`.repeat(6)}`)).toBe('sheet.row-too-long')
})

test('a property name that every object has is no entity', async () => {
  const sheet = '<sheetData><row r="1"><c r="A1" t="str"><v>a&valueOf;</v></c></row></sheetData>'
  expect(await refusalOf(workbookOf({ sheet }))).toBe('sheet.unsafe')
})
