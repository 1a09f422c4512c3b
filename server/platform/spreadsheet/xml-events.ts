import { setImmediate as giveWay } from 'node:timers/promises'
import { errors } from './spreadsheet.errors.ts'
import type { WorkBudget } from './work-budget.ts'

export type XmlHandler = {
  /** `attributes` as written; `attribute` reads one. */
  open(name: string, attributes: string): void
  close(name: string): void
  text(text: string): void
}

/** Longer than any tag of a spreadsheet; anything longer is not one. */
const MAX_TAG_LENGTH = 1 << 20
const ENTITIES = new Map(Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }))

/**
 * Reads a part of a workbook. A general XML parser takes five times as long for the millions of cells of a large sheet; this one knows what
 * such parts consist of and rejects the rest: a DTD, and with it every custom entity. Yields after each chunk, so that rows are processed
 * as they arrive and other requests get their turn.
 */
export async function* readXml(
  pieces: AsyncIterable<Buffer>,
  handler: XmlHandler,
  budget: WorkBudget,
): AsyncIterable<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for await (const piece of pieces) {
    rest = parseTokens(rest + decode(decoder, piece), handler, budget)
    budget.check()
    if (rest.length > MAX_TAG_LENGTH) throw errors['sheet.too-big-inside']()
    yield
    await giveWay()
  }
  rest = parseTokens(rest + decode(decoder, null), handler, budget)
  budget.check()
  if (rest.trim()) throw errors['sheet.broken']()
}

function decode(decoder: InstanceType<typeof TextDecoder>, piece: Buffer | null): string {
  try {
    return piece ? decoder.decode(piece, { stream: true }) : decoder.decode()
  } catch {
    throw errors['sheet.broken']()
  }
}

/** @returns the incomplete token at the end */
function parseTokens(source: string, handler: XmlHandler, budget: WorkBudget): string {
  budget.chargeText(source.length)
  let at = 0
  for (;;) {
    const tag = source.indexOf('<', at)
    if (tag < 0) return handleTrailingText(source, at, handler, budget)
    if (tag > at) handler.text(decodeEntities(source.slice(at, tag), budget))
    const end = endOfTag(source, tag)
    if (end < 0) return source.slice(tag)
    budget.chargeTag(handleTag(source, tag, end, handler), end - tag)
    at = end
  }
}

/** Text may be split anywhere but inside `&…;`. */
function handleTrailingText(source: string, at: number, handler: XmlHandler, budget: WorkBudget): string {
  const entity = source.lastIndexOf('&')
  const cut = entity >= at && source.indexOf(';', entity) < 0 ? entity : source.length
  if (cut > at) handler.text(decodeEntities(source.slice(at, cut), budget))
  return source.slice(cut)
}

/** The position after the tag that starts at `from`; -1 while it is incomplete. */
function endOfTag(source: string, from: number): number {
  if (source.startsWith('<!', from)) return endOfSpecial(source, from)
  // A ">" may be inside an attribute. Each character is scanned once: a file may consist of nothing else.
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
  if (rest.startsWith('<!--')) return indexAfter(source, '-->', from)
  if (rest.startsWith('<![CDATA[')) return indexAfter(source, ']]>', from)
  if ('<![CDATA['.startsWith(rest) || '<!--'.startsWith(rest)) return -1
  throw errors['sheet.unsafe']()
}

function indexAfter(source: string, mark: string, from: number): number {
  const at = source.indexOf(mark, from)
  return at < 0 ? -1 : at + mark.length
}

/** @returns how many tags it counts as: an empty element opens and closes */
function handleTag(source: string, from: number, end: number, handler: XmlHandler): 1 | 2 {
  const sign = source[from + 1]
  if (sign === '?') return 1
  if (sign === '!') {
    if (source.startsWith('<![CDATA[', from)) handler.text(source.slice(from + 9, end - 3))
    return 1
  }
  if (sign === '/') {
    handler.close(localName(source.slice(from + 2, end - 1).trim()))
    return 1
  }
  const isEmpty = source[end - 2] === '/'
  const inside = source.slice(from + 1, end - (isEmpty ? 2 : 1))
  const space = inside.search(/\s/)
  const name = localName(space < 0 ? inside : inside.slice(0, space))
  handler.open(name, space < 0 ? '' : inside.slice(space))
  if (isEmpty) handler.close(name)
  return isEmpty ? 2 : 1
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

function decodeEntities(text: string, budget?: WorkBudget): string {
  if (!text.includes('&')) return text
  budget?.chargeEntities(text)
  return text.replace(/&([^;&]{0,10});?/g, decodeEntity)
}

function decodeEntity(whole: string, name: string): string {
  if (!whole.endsWith(';')) throw errors['sheet.broken']()
  const known = ENTITIES.get(name)
  if (known !== undefined) return known
  const [, hex, decimal] = /^#(?:x([\da-fA-F]+)|(\d+))$/.exec(name) ?? []
  const point = hex ? Number.parseInt(hex, 16) : Number(decimal)
  if (!(point > 0 && point <= 0x10ffff)) throw errors['sheet.unsafe']()
  return String.fromCodePoint(point)
}

const patterns = new Map<string, RegExp>()

/** The value of one attribute, whatever its prefix; null if there is none. */
export function readAttribute(attributes: string, name: string): string | null {
  const known = patterns.get(name)
  const pattern = known ?? new RegExp(`[\\s:]${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
  if (!known) patterns.set(name, pattern)
  const found = pattern.exec(attributes)
  return found ? decodeEntities(found[1] ?? found[2] ?? '') : null
}
