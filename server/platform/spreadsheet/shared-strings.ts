import { cleanCell } from './sheet-row.ts'
import { errors } from './spreadsheet.errors.ts'
import type { WorkBudget } from './work-budget.ts'
import { readXml } from './xml-events.ts'
import type { ZipArchive } from './zip-archive.ts'

/**
 * 200,000 people with account, name, phone, mailbox and identity document are a million different texts of a dozen characters, which Excel
 * writes with up to 50 bytes around each. A small file could contain many more.
 */
const MAX_STRINGS = 1_500_000
const MAX_STRINGS_BYTES = 128 * 1024 * 1024
const MAX_STORED_BYTES = 48 * 1024 * 1024

export type SharedStrings = { at(number: number): string | undefined }

/** The texts that cells refer to by number; without phonetic readings of Japanese ones. */
export async function readStrings(
  zip: ZipArchive,
  part: string | null,
  maxLength: number,
  budget: WorkBudget,
): Promise<SharedStrings> {
  const strings = createStringStore()
  if (part === null) return strings
  let text = ''
  let isText = false
  let isReading = false
  const handler = {
    open(name: string) {
      if (name === 'si') text = ''
      if (name === 't') isText = true
      if (name === 'rPh') isReading = true
    },
    close(name: string) {
      if (name === 't') isText = false
      if (name === 'rPh') isReading = false
      if (name !== 'si') return
      strings.add(cellText(text, maxLength))
      budget.creditText()
    },
    text(piece: string) {
      if (isText && !isReading) text = appendBounded(text, piece, maxLength)
    },
  }
  for await (const _ of readXml(zip.read(part, MAX_STRINGS_BYTES), handler, budget));
  return strings
}

const BLOCK_BYTES = 1024 * 1024

/** Stores texts as bytes: JavaScript strings take several times the memory, and the garbage collector scans each repeatedly. */
function createStringStore() {
  const blocks: Buffer[] = []
  const offsets: number[] = []
  let used = BLOCK_BYTES
  return {
    add(text: string) {
      const size = Buffer.byteLength(text)
      if (used + 2 + size > BLOCK_BYTES) {
        if (blocks.length * BLOCK_BYTES >= MAX_STORED_BYTES) throw errors['sheet.too-big-inside']()
        blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES))
        used = 0
      }
      if (offsets.push((blocks.length - 1) * BLOCK_BYTES + used) > MAX_STRINGS) throw errors['sheet.too-big-inside']()
      const block = blocks.at(-1)
      block?.writeUInt16LE(size, used)
      block?.write(text, used + 2)
      used += 2 + size
    },
    at(number: number): string | undefined {
      const offset = offsets[number]
      const block = offset === undefined ? undefined : blocks[Math.floor(offset / BLOCK_BYTES)]
      if (offset === undefined || !block) return undefined
      const from = (offset % BLOCK_BYTES) + 2
      return block.toString('utf8', from, from + block.readUInt16LE(from - 2))
    },
  }
}

/** Characters in the file per character of a cell, at most. */
const MAX_ESCAPE_LENGTH = '_x000D_'.length

/** Appends what follows in the file up to one character beyond the limit, so that it is seen to be too long. */
export function appendBounded(text: string, piece: string, maxLength: number): string {
  const room = MAX_ESCAPE_LENGTH * (maxLength + 1) - text.length
  return room > 0 ? text + piece.slice(0, room) : text
}

/** The displayed text of a cell. */
export const cellText = (written: string, maxLength: number): string =>
  cleanCell(unescapeXml(written)).slice(0, maxLength + 1)

/** Workbooks write what XML can't represent as `_x000D_`. */
const unescapeXml = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text
