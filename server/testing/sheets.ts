import { deflateRawSync } from 'node:zlib'

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50

/** An archive as a program would pack it; without checksums, because nobody here checks them. */
export function zipOf(files: Record<string, string | Buffer>): Buffer {
  const parts: Buffer[] = []
  const contents: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(files)) {
    const raw = Buffer.from(content as string)
    const packed = deflateRawSync(raw)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(LOCAL)
    local.writeUInt16LE(8, 8)
    local.writeUInt16LE(name.length, 26)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(CENTRAL)
    central.writeUInt16LE(8, 10)
    central.writeUInt32LE(packed.length, 20)
    central.writeUInt32LE(raw.length, 24)
    central.writeUInt16LE(name.length, 28)
    central.writeUInt32LE(at, 42)
    parts.push(local, Buffer.from(name), packed)
    contents.push(central, Buffer.from(name))
    at += 30 + name.length + packed.length
  }
  const table = Buffer.concat(contents)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(END)
  end.writeUInt16LE(contents.length / 2, 8)
  end.writeUInt16LE(contents.length / 2, 10)
  end.writeUInt32LE(table.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, table, end])
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

type Workbook = {
  /** The content of the worksheet element: `<sheetData>…` */
  sheet: string | Buffer
  strings?: string[]
  /** Format codes; a cell refers to the first with `s="1"`. */
  formats?: string[]
  is1904?: boolean
}

const plain = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')

/** A workbook with a hand-written sheet, for what no program would write. */
export function workbookOf({ sheet, strings = [], formats = [], is1904 = false }: Workbook): Buffer {
  const relation = (id: number, kind: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${RELATIONS}/${kind}" Target="${target}"/>`
  const styles = formats.map((code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${plain(code)}"/>`).join('')
  const cells = formats.map((_, at) => `<xf numFmtId="${200 + at}"/>`).join('')
  return zipOf({
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<?xml version="1.0"?><workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr date1904="${is1904 ? 1 : 0}"/>
      <sheets><sheet name="Hidden" sheetId="1" state="hidden" r:id="rId9"/><sheet name="People" sheetId="2" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relation(1, 'worksheet', 'worksheets/sheet1.xml')}${relation(2, 'sharedStrings', '/xl/sharedStrings.xml')}${relation(3, 'styles', 'styles.xml')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${strings.map((text) => `<si><t>${plain(text)}</t></si>`).join('')}</sst>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts>${styles}</numFmts><cellXfs><xf numFmtId="0"/>${cells}</cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml':
      typeof sheet === 'string' ? `<?xml version="1.0"?><worksheet xmlns="${MAIN}">${sheet}</worksheet>` : sheet,
  })
}
