import { cleanCell } from './sheet-row.ts'
import { errors } from './spreadsheet.errors.ts'
import { readXml } from './xml-events.ts'
import type { ZipArchive } from './zip-archive.ts'

/**
 * 200,000 people with number, name, phone, mailbox and identity document are a million different texts of a dozen signs, which
 * Excel writes with up to 50 bytes around each. A small file could name many more.
 */
const MOST_STRINGS = 1_500_000
const MOST_STRINGS_BYTES = 128 * 1024 * 1024
const MOST_KEPT_BYTES = 48 * 1024 * 1024

export type SharedStrings = { at(number: number): string | undefined }

/** The texts that cells name by number; without the readings that stand above Japanese ones. */
export async function readStrings(
  zip: ZipArchive,
  part: string | null,
  mostCharacters: number,
): Promise<SharedStrings> {
  const strings = createStore()
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
      if (name === 'si') strings.add(cellText(text, mostCharacters))
    },
    text(piece: string) {
      if (isText && !isReading) text = extended(text, piece, mostCharacters)
    },
  }
  for await (const _ of readXml(zip.read(part, MOST_STRINGS_BYTES), handler));
  return strings
}

const BLOCK = 1024 * 1024

/** Keeps texts as bytes: strings of the engine take several times the room, and its collector looks at each again and again. */
function createStore() {
  const blocks: Buffer[] = []
  const places: number[] = []
  let used = BLOCK
  return {
    add(text: string) {
      const size = Buffer.byteLength(text)
      if (used + 2 + size > BLOCK) {
        if (blocks.length * BLOCK >= MOST_KEPT_BYTES) throw errors['sheet.too-big-inside']()
        blocks.push(Buffer.allocUnsafeSlow(BLOCK))
        used = 0
      }
      if (places.push((blocks.length - 1) * BLOCK + used) > MOST_STRINGS) throw errors['sheet.too-big-inside']()
      const block = blocks.at(-1)
      block?.writeUInt16LE(size, used)
      block?.write(text, used + 2)
      used += 2 + size
    },
    at(number: number): string | undefined {
      const place = places[number]
      const block = place === undefined ? undefined : blocks[Math.floor(place / BLOCK)]
      if (place === undefined || !block) return undefined
      const from = (place % BLOCK) + 2
      return block.toString('utf8', from, from + block.readUInt16LE(from - 2))
    },
  }
}

/** Signs of the file that one sign of a cell takes at most. */
const LONGEST_ESCAPE = '_x000D_'.length

/** Adds what follows in the file, as far as it can be of use: one sign more than is kept, so that it is seen to be too long. */
export function extended(text: string, piece: string, mostCharacters: number): string {
  const room = LONGEST_ESCAPE * (mostCharacters + 1) - text.length
  return room > 0 ? text + piece.slice(0, room) : text
}

/** What a cell shows of its text in the file. */
export const cellText = (written: string, mostCharacters: number): string =>
  cleanCell(withoutEscapes(written)).slice(0, mostCharacters + 1)

/** Workbooks write what XML can not hold as `_x000D_`. */
const withoutEscapes = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text
