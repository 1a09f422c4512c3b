import { setImmediate as giveWay } from 'node:timers/promises'
import { errors } from './spreadsheet.errors.ts'

export type XmlHandler = {
  /** `attributes` as they are written; `attribute` reads one. */
  open(name: string, attributes: string): void
  close(name: string): void
  text(text: string): void
}

/** Longer than any tag of a spreadsheet; what grows beyond it is no spreadsheet. */
const MOST_TAG = 1 << 20
const ENTITIES = new Map(Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }))

/**
 * Reads a part of a workbook. A general XML parser takes five times as long over the millions of cells of a large sheet; this one
 * knows what such parts consist of and refuses the rest: a DTD, and with it every entity that somebody defines.
 * Stops after each piece, so that rows leave as they come and other requests have their turn.
 */
export async function* readXml(pieces: AsyncIterable<Buffer>, handler: XmlHandler): AsyncIterable<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for await (const piece of pieces) {
    rest = takeTokens(rest + decode(decoder, piece), handler)
    if (rest.length > MOST_TAG) throw errors['sheet.too-big-inside']()
    yield
    await giveWay()
  }
  rest = takeTokens(rest + decode(decoder, null), handler)
  if (rest.trim()) throw errors['sheet.broken']()
}

function decode(decoder: InstanceType<typeof TextDecoder>, piece: Buffer | null): string {
  try {
    return piece ? decoder.decode(piece, { stream: true }) : decoder.decode()
  } catch {
    throw errors['sheet.broken']()
  }
}

/** @returns what is not a whole token yet. */
function takeTokens(source: string, handler: XmlHandler): string {
  let at = 0
  for (;;) {
    const tag = source.indexOf('<', at)
    if (tag < 0) return textTail(source, at, handler)
    if (tag > at) handler.text(plain(source.slice(at, tag)))
    const end = endOfTag(source, tag)
    if (end < 0) return source.slice(tag)
    takeTag(source, tag, end, handler)
    at = end
  }
}

/** Text may be cut anywhere but inside of `&…;`. */
function textTail(source: string, at: number, handler: XmlHandler): string {
  const entity = source.lastIndexOf('&')
  const cut = entity >= at && source.indexOf(';', entity) < 0 ? entity : source.length
  if (cut > at) handler.text(plain(source.slice(at, cut)))
  return source.slice(cut)
}

/** Behind the tag that begins at `from`; -1 while it is not whole. */
function endOfTag(source: string, from: number): number {
  if (source.startsWith('<!', from)) return endOfSpecial(source, from)
  // A ">" may stand inside of an attribute. Each sign is looked at once: a file may consist of nothing else.
  let quote = 0
  for (let at = from + 1; at < source.length; at++) {
    const code = source.charCodeAt(at)
    if (quote !== 0) quote = code === quote ? 0 : quote
    else if (code === GREATER) return at + 1
    else if (code === DOUBLE || code === SINGLE) quote = code
  }
  return -1
}

const GREATER = 62
const DOUBLE = 34
const SINGLE = 39

function endOfSpecial(source: string, from: number): number {
  const rest = source.slice(from, from + 9)
  if (rest.startsWith('<!--')) return behind(source, '-->', from)
  if (rest.startsWith('<![CDATA[')) return behind(source, ']]>', from)
  if ('<![CDATA['.startsWith(rest) || '<!--'.startsWith(rest)) return -1
  throw errors['sheet.unsafe']()
}

function behind(source: string, mark: string, from: number): number {
  const at = source.indexOf(mark, from)
  return at < 0 ? -1 : at + mark.length
}

function takeTag(source: string, from: number, end: number, handler: XmlHandler): void {
  const sign = source[from + 1]
  if (sign === '?') return
  if (sign === '!') {
    if (source.startsWith('<![CDATA[', from)) handler.text(source.slice(from + 9, end - 3))
    return
  }
  if (sign === '/') {
    handler.close(localName(source.slice(from + 2, end - 1).trim()))
    return
  }
  const isEmpty = source[end - 2] === '/'
  const inside = source.slice(from + 1, end - (isEmpty ? 2 : 1))
  const space = inside.search(/\s/)
  const name = localName(space < 0 ? inside : inside.slice(0, space))
  handler.open(name, space < 0 ? '' : inside.slice(space))
  if (isEmpty) handler.close(name)
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const plain = (text: string): string => (text.includes('&') ? text.replace(/&([^;&]{0,10});?/g, resolved) : text)

function resolved(whole: string, name: string): string {
  if (!whole.endsWith(';')) throw errors['sheet.broken']()
  const known = ENTITIES.get(name)
  if (known !== undefined) return known
  const [, hex, decimal] = /^#(?:x([\da-fA-F]+)|(\d+))$/.exec(name) ?? []
  const point = hex ? Number.parseInt(hex, 16) : Number(decimal)
  if (!(point > 0 && point <= 0x10ffff)) throw errors['sheet.unsafe']()
  return String.fromCodePoint(point)
}

const patterns = new Map<string, RegExp>()

/** The value of one attribute, whatever its prefix; null when there is none. */
export function attribute(attributes: string, name: string): string | null {
  const known = patterns.get(name)
  const pattern = known ?? new RegExp(`[\\s:]${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
  if (!known) patterns.set(name, pattern)
  const found = pattern.exec(attributes)
  return found ? plain(found[1] ?? found[2] ?? '') : null
}
