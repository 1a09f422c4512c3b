import { errors } from './spreadsheet.errors.ts'
import type { WorkBudget } from './work-budget.ts'
import { type CellStyle, parseStyle } from './xlsx-numbers.ts'
import { readAttribute, readXml } from './xml-events.ts'
import type { ZipArchive } from './zip-archive.ts'

const MAX_PART_BYTES = 8 * 1024 * 1024
const MAX_FORMATS = 100_000

export type Workbook = { sheet: string; strings: string | null; styles: string | null; is1904: boolean }

type Element = { name: string; attributes: string }

async function readElements(
  zip: ZipArchive,
  part: string,
  names: readonly string[],
  budget: WorkBudget,
): Promise<Element[]> {
  const found: Element[] = []
  const handler = {
    open(name: string, attributes: string) {
      if (names.includes(name)) found.push({ name, attributes })
    },
    close() {},
    text() {},
  }
  for await (const _ of readXml(zip.read(part, MAX_PART_BYTES), handler, budget)) {
    if (found.length > MAX_FORMATS) break
  }
  return found
}

/** Finds the parts of the first visible sheet. @throws Refusal if it is not a workbook. */
export async function openWorkbook(zip: ZipArchive, budget: WorkBudget): Promise<Workbook> {
  const main = 'xl/workbook.xml'
  if (!zip.has('[Content_Types].xml') || !zip.has(main)) throw errors['sheet.not-a-sheet']()
  const elements = await readElements(zip, main, ['workbookPr', 'sheet'], budget)
  const sheets = elements.filter(({ name }) => name === 'sheet')
  const shown = sheets.find(({ attributes }) => (readAttribute(attributes, 'state') ?? 'visible') === 'visible')
  const relations = await readRelations(zip, budget)
  const sheet = relations.find(({ id }) => id === readAttribute(shown?.attributes ?? '', 'id'))
  if (!sheet?.type.endsWith('/worksheet') || !zip.has(sheet.target)) throw errors['sheet.broken']()
  const partOf = (kind: string) => {
    const part = relations.find(({ type, target }) => type.endsWith(`/${kind}`) && zip.has(target))
    return part?.target ?? null
  }
  const properties = elements.find(({ name }) => name === 'workbookPr')?.attributes ?? ''
  return {
    sheet: sheet.target,
    strings: partOf('sharedStrings'),
    styles: partOf('styles'),
    is1904: /^(1|true)$/.test(readAttribute(properties, 'date1904') ?? ''),
  }
}

async function readRelations(zip: ZipArchive, budget: WorkBudget) {
  const elements = await readElements(zip, 'xl/_rels/workbook.xml.rels', ['Relationship'], budget)
  return elements.flatMap(({ attributes }) => {
    // External parts are never read.
    if (readAttribute(attributes, 'TargetMode') === 'External') return []
    const target = readAttribute(attributes, 'Target') ?? ''
    return [
      {
        id: readAttribute(attributes, 'Id'),
        type: readAttribute(attributes, 'Type') ?? '',
        target: target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^(\.\/)+/, '')}`,
      },
    ]
  })
}

/** By the number in a cell. */
export async function readStyles(zip: ZipArchive, part: string | null, budget: WorkBudget): Promise<CellStyle[]> {
  if (part === null) return []
  const codes = new Map<number, string>()
  const styles: CellStyle[] = []
  let isCells = false
  const handler = {
    open(name: string, attributes: string) {
      if (name === 'cellXfs') isCells = true
      if (name === 'numFmt')
        codes.set(Number(readAttribute(attributes, 'numFmtId')), readAttribute(attributes, 'formatCode') ?? '')
      if (name !== 'xf' || !isCells || styles.length > MAX_FORMATS) return
      const format = Number(readAttribute(attributes, 'numFmtId') ?? 0)
      styles.push(parseStyle(format, codes.get(format)))
    },
    close(name: string) {
      if (name === 'cellXfs') isCells = false
    },
    text() {},
  }
  for await (const _ of readXml(zip.read(part, MAX_PART_BYTES), handler, budget));
  return styles
}
