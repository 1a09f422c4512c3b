import { errors } from './spreadsheet.errors.ts'
import { type CellStyle, styleOf } from './xlsx-numbers.ts'
import { attribute, readXml } from './xml-events.ts'
import type { ZipArchive } from './zip-archive.ts'

const MOST_SMALL_PART = 8 * 1024 * 1024
const MOST_FORMATS = 100_000

export type Workbook = { sheet: string; strings: string | null; styles: string | null; is1904: boolean }

type Element = { name: string; attributes: string }

async function elementsOf(zip: ZipArchive, part: string, names: readonly string[]): Promise<Element[]> {
  const found: Element[] = []
  const handler = {
    open(name: string, attributes: string) {
      if (names.includes(name)) found.push({ name, attributes })
    },
    close() {},
    text() {},
  }
  for await (const _ of readXml(zip.read(part, MOST_SMALL_PART), handler)) if (found.length > MOST_FORMATS) break
  return found
}

/** Finds the parts of the first sheet that is shown. @throws Refusal when it is no workbook. */
export async function openWorkbook(zip: ZipArchive): Promise<Workbook> {
  const main = 'xl/workbook.xml'
  if (!zip.has('[Content_Types].xml') || !zip.has(main)) throw errors['sheet.not-a-sheet']()
  const elements = await elementsOf(zip, main, ['workbookPr', 'sheet'])
  const sheets = elements.filter(({ name }) => name === 'sheet')
  const shown = sheets.find(({ attributes }) => (attribute(attributes, 'state') ?? 'visible') === 'visible')
  const relations = await relationsOf(zip)
  const sheet = relations.find(({ id }) => id === attribute(shown?.attributes ?? '', 'id'))
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
    is1904: /^(1|true)$/.test(attribute(properties, 'date1904') ?? ''),
  }
}

async function relationsOf(zip: ZipArchive) {
  const elements = await elementsOf(zip, 'xl/_rels/workbook.xml.rels', ['Relationship'])
  return elements.flatMap(({ attributes }) => {
    // What lies outside of the file is never asked for.
    if (attribute(attributes, 'TargetMode') === 'External') return []
    const target = attribute(attributes, 'Target') ?? ''
    return [
      {
        id: attribute(attributes, 'Id'),
        type: attribute(attributes, 'Type') ?? '',
        target: target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^(\.\/)+/, '')}`,
      },
    ]
  })
}

/** By the number that a cell names. */
export async function readStyles(zip: ZipArchive, part: string | null): Promise<CellStyle[]> {
  if (part === null) return []
  const codes = new Map<number, string>()
  const styles: CellStyle[] = []
  let isCells = false
  const handler = {
    open(name: string, attributes: string) {
      if (name === 'cellXfs') isCells = true
      if (name === 'numFmt')
        codes.set(Number(attribute(attributes, 'numFmtId')), attribute(attributes, 'formatCode') ?? '')
      if (name !== 'xf' || !isCells || styles.length > MOST_FORMATS) return
      const format = Number(attribute(attributes, 'numFmtId') ?? 0)
      styles.push(styleOf(format, codes.get(format)))
    },
    close(name: string) {
      if (name === 'cellXfs') isCells = false
    },
    text() {},
  }
  for await (const _ of readXml(zip.read(part, MOST_SMALL_PART), handler));
  return styles
}
