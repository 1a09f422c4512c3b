import { isUtf8 } from 'node:buffer'
import { setImmediate as giveWay } from 'node:timers/promises'
import { type CellNote, cleanCell, type SheetLimits, type SheetRow } from './sheet-row.ts'
import { errors } from './spreadsheet.errors.ts'

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030'
/** Bytes read in one go, within a few milliseconds; then other work gets its turn. */
const CHUNK_BYTES = 64 * 1024

/** By the byte order mark, else by which encoding the bytes are valid in. @throws Refusal if it is no text in a known encoding. */
export async function detectEncoding(bytes: Buffer): Promise<{ encoding: Encoding; start: number }> {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', start: 2 }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', start: 2 }
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: 'utf-8', start: 3 }
  if (bytes.includes(0)) throw errors['sheet.not-a-sheet']()
  if (isUtf8(bytes)) return { encoding: 'utf-8', start: 0 }
  // Read to the end: the first invalid byte may be the last.
  for await (const _ of decodeChunks(bytes, 'gb18030', 0));
  return { encoding: 'gb18030', start: 0 }
}

async function* decodeChunks(bytes: Buffer, encoding: Encoding, start: number): AsyncIterable<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  for (let at = start; at < bytes.length; at += CHUNK_BYTES) {
    await giveWay()
    yield decoded(decoder, bytes.subarray(at, at + CHUNK_BYTES))
  }
  yield decoded(decoder, null)
}

function decoded(decoder: InstanceType<typeof TextDecoder>, piece: Buffer | null): string {
  try {
    return piece ? decoder.decode(piece, { stream: true }) : decoder.decode()
  } catch {
    throw errors['sheet.unknown-encoding']()
  }
}

/** The most frequent separator character in the first record, outside quotes. */
export function detectSeparator(bytes: Buffer, encoding: Encoding, start: number): string {
  const head = decoded(new TextDecoder(encoding, { fatal: true }), bytes.subarray(start, start + CHUNK_BYTES))
  const declared = /^sep=([,;\t])\r?\n/.exec(head)
  if (declared?.[1]) return declared[1]
  const counts = new Map([',', '\t', ';'].map((sign) => [sign, 0]))
  let isQuoted = false
  for (const sign of head) {
    if (sign === '"') isQuoted = !isQuoted
    if (isQuoted) continue
    if (sign === '\n' || sign === '\r') break
    const count = counts.get(sign)
    if (count !== undefined) counts.set(sign, count + 1)
  }
  return [...counts].reduce((best, one) => (one[1] > 0 && one[1] >= best[1] ? one : best))[0]
}

type Csv = { encoding: Encoding; start: number; separator: string; bounds: SheetLimits }

/** The records of a csv file: RFC 4180, plus what programs really write. */
export async function* readCsv(bytes: Buffer, { encoding, start, separator, bounds }: Csv): AsyncIterable<SheetRow> {
  const parser = new CsvParser(separator, bounds)
  for await (const text of decodeChunks(bytes, encoding, start)) yield* parser.take(text)
  yield* parser.end()
}

const MAX_LINES = 1_048_576
const QUOTE = 34
const RETURN = 13
const LINE = 10

/** A class, because the parser's state continues from one chunk of the file to the next. */
class CsvParser {
  #field = ''
  #cells: string[] = []
  #ended: SheetRow[] = []
  /** `closing`: after a quote, which ends the quoted text unless another one follows. */
  #state: 'plain' | 'quoted' | 'closing' = 'plain'
  #afterReturn = false
  #row = 0
  readonly #separator: number
  readonly #bounds: SheetLimits

  constructor(separator: string, bounds: SheetLimits) {
    this.#separator = separator.charCodeAt(0)
    this.#bounds = bounds
  }

  /** @returns the records that end in this chunk */
  take(text: string): SheetRow[] {
    let from = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (this.#state !== 'plain') from = this.#quoted(text, from, at, code)
      if (this.#state !== 'plain') continue
      if (code === QUOTE && this.#field === '' && from === at) {
        this.#state = 'quoted'
        from = at + 1
      } else if (code === this.#separator || code === LINE || code === RETURN) {
        this.#add(text.slice(from, at))
        from = at + 1
        this.#separated(code)
      } else this.#afterReturn = false
    }
    this.#add(text.slice(from))
    return this.#ended.splice(0)
  }

  end(): SheetRow[] {
    if (this.#state === 'quoted') throw errors['sheet.broken']()
    if (this.#field !== '' || this.#cells.length > 0) this.#separated(LINE)
    return this.#ended
  }

  /** @returns where the unconsumed input starts */
  #quoted(text: string, from: number, at: number, code: number): number {
    if (this.#state === 'closing') {
      this.#state = code === QUOTE ? 'quoted' : 'plain'
      // The second of two quotes belongs to the text.
      return at
    }
    if (code !== QUOTE) return from
    this.#add(text.slice(from, at))
    this.#state = 'closing'
    return at + 1
  }

  /** One character more than is kept, so that it is seen to be too long. */
  #add(text: string): void {
    const room = this.#bounds.maxCellLength + 1 - this.#field.length
    if (room > 0) this.#field += text.slice(0, room)
  }

  #separated(code: number): void {
    const isLineOfReturn = code === LINE && this.#afterReturn
    this.#afterReturn = code === RETURN
    // CR LF ends a record once.
    if (isLineOfReturn) return
    this.#cells.push(this.#field)
    this.#field = ''
    if (this.#cells.length > 4096) throw errors['sheet.too-many-columns']({ params: { most: this.#bounds.maxColumns } })
    if (code === this.#separator) return
    // As many as a spreadsheet has: most of them are empty then.
    if (this.#row >= MAX_LINES) throw errors['sheet.too-many-rows']({ params: { most: this.#bounds.maxRows } })
    const cells = this.#cells
    this.#cells = []
    if (this.#row === 0 && /^sep=[,;\t]?$/.test(cells.join(''))) return
    this.#row++
    const row = toRow(this.#row, cells, this.#bounds)
    if (row) this.#ended.push(row)
  }
}

function toRow(row: number, texts: string[], { maxColumns }: SheetLimits): SheetRow | null {
  if (texts.every((text) => text === '')) return null
  const cells: string[] = []
  let notes: SheetRow['notes'] = null
  for (const [column, text] of texts.entries()) {
    const { value, note } = unescapeFormula(text === '' ? '' : cleanCell(text))
    cells.push(value)
    if (!note) continue
    notes ??= {}
    notes[column] = note
  }
  while (cells.length > 0 && cells.at(-1) === '') cells.pop()
  if (cells.length > maxColumns) throw errors['sheet.too-many-columns']({ params: { most: maxColumns } })
  return cells.length > 0 ? { row, cells, notes } : null
}

/** A csv file has no types: an apostrophe or `="…"` around a text keeps spreadsheets from evaluating it, also inside one. */
function unescapeFormula(whole: string): { value: string; note?: CellNote } {
  const text = whole.includes("'") ? whole.replace(/(?<=[;\t\r\n]\s*)'(?=[=+\-@|＝＋－＠])/g, '') : whole
  if (/^'\s*[=+\-@|＝＋－＠]/.test(text)) return { value: text.slice(1) }
  const kept = /^="([^"]*)"$/.exec(text)
  if (kept) return { value: kept[1]?.trim() ?? '' }
  return text.startsWith('=') ? { value: text, note: 'formula' } : { value: text }
}
