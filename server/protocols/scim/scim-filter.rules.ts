import { COMPARISONS, type Comparison } from '../../features/scim-provisioning/index.ts'
import { errors } from './scim.errors.ts'
import { entryOf } from './scim-schemas.rules.ts'

export type FilterValue = string | number | boolean | null

/** A filter of RFC 7644 3.4.2.2; attribute names in lower case. */
export type Filter =
  | { kind: 'and'; parts: Filter[] }
  | { kind: 'or'; parts: Filter[] }
  | { kind: 'not'; part: Filter }
  | { kind: 'compare'; path: string; op: Comparison; value: FilterValue }
  | { kind: 'present'; path: string }
  /** `emails[type eq "work"]`. */
  | { kind: 'values'; path: string; filter: Filter }

/** `emails[type eq "work"].value`; `path` and `sub` in lower case. */
export type AttributePath = { path: string; filter: Filter | null; sub: string | null }

const MAX_FILTER_LENGTH = 2000
const MAX_DEPTH = 10
const MAX_TERMS = 50

// No two alternatives share a beginning, so any text is read without backtracking.
const TOKEN = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|(\.?[a-z$_][\w$.:-]*)|(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?))/isy

type Token = { text: string; kind: 'sign' | 'text' | 'word' | 'number' }
const KINDS = ['sign', 'text', 'word', 'number'] as const

function tokenize(text: string): Token[] {
  if (text.length > MAX_FILTER_LENGTH) throw tooLarge()
  const tokens: Token[] = []
  const end = text.trimEnd().length
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < end) {
    const at = TOKEN.lastIndex
    const found = TOKEN.exec(text)
    if (!found) throw badFilter(text.slice(at).trim())
    const which = KINDS.findIndex((_, n) => found[n + 1] !== undefined)
    tokens.push({ text: found[which + 1] ?? '', kind: KINDS[which] ?? 'sign' })
  }
  return tokens
}

const tooLarge = () => errors['scim.filter-too-large']({ params: { length: MAX_FILTER_LENGTH, depth: MAX_DEPTH } })
const badFilter = (near: string) => errors['scim.bad-filter']({ params: { near: near.slice(0, 40) } })

class Reader {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0
  #terms = 0
  constructor(text: string) {
    this.#tokens = tokenize(text)
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length
  }

  peek(): Token | undefined {
    return this.#tokens[this.#at]
  }

  isNext(text: string): boolean {
    return this.peek()?.kind !== 'text' && this.peek()?.text.toLowerCase() === text
  }

  take(): Token {
    const token = this.peek()
    if (!token) throw badFilter('')
    this.#at += 1
    return token
  }

  expect(text: string): void {
    if (!this.isNext(text)) throw badFilter(this.peek()?.text ?? '')
    this.take()
  }

  readOr(): Filter {
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) throw tooLarge()
    const filter = this.#readJoined('or', () => this.#readJoined('and', () => this.#readTerm()))
    this.#depth -= 1
    return filter
  }

  #readJoined(kind: 'and' | 'or', read: () => Filter): Filter {
    const first = read()
    if (!this.isNext(kind)) return first
    const parts = [first]
    while (this.isNext(kind)) {
      this.take()
      parts.push(read())
    }
    return { kind, parts }
  }

  #readTerm(): Filter {
    this.#terms += 1
    if (this.#terms > MAX_TERMS) throw tooLarge()
    if (this.isNext('not')) {
      this.take()
      this.expect('(')
      const part = this.readOr()
      this.expect(')')
      return { kind: 'not', part }
    }
    if (this.isNext('(')) {
      this.take()
      const filter = this.readOr()
      this.expect(')')
      return filter
    }
    return this.#readComparison()
  }

  #readComparison(): Filter {
    const path = this.readName()
    if (!this.isNext('[')) return this.#readTest(path)
    const filter = this.readValueFilter()
    const next = this.peek()
    if (next?.kind !== 'word' || !next.text.startsWith('.')) return { kind: 'values', path, filter }
    // `emails[type eq "work"].value eq "x"`: not in the grammar, but Entra ID asks so, and means one value with both.
    this.take()
    const parts = [filter, this.#readTest(next.text.slice(1).toLowerCase())]
    return { kind: 'values', path, filter: { kind: 'and', parts } }
  }

  #readTest(path: string): Filter {
    const { text } = this.take()
    const op = text.toLowerCase()
    if (op === 'pr') return { kind: 'present', path }
    const operator = COMPARISONS.find((one) => one === op)
    if (!operator) throw badFilter(text)
    return { kind: 'compare', path, op: operator, value: this.#readValue() }
  }

  readName(): string {
    const token = this.take()
    if (token.kind !== 'word' || token.text.startsWith('.')) throw badFilter(token.text)
    return token.text.toLowerCase()
  }

  readValueFilter(): Filter {
    this.expect('[')
    const filter = this.readOr()
    this.expect(']')
    return filter
  }

  #readValue(): FilterValue {
    const { text, kind } = this.take()
    if (kind === 'number') return Number(text)
    if (kind === 'word') {
      const word = text.toLowerCase()
      if (word === 'true' || word === 'false') return word === 'true'
      if (word === 'null') return null
    }
    if (kind !== 'text') throw badFilter(text)
    try {
      return JSON.parse(text) as string
    } catch {
      throw badFilter(text)
    }
  }
}

/** @throws Refusal `scim.bad-filter`, `scim.filter-too-large`. */
export function parseFilter(text: string): Filter {
  const reader = new Reader(text)
  const filter = reader.readOr()
  if (!reader.isAtEnd) throw badFilter(reader.peek()?.text ?? '')
  return filter
}

/** The path of a PATCH operation, or a key of one without a path. @throws Refusal `scim.bad-path`. */
export function parsePath(text: string): AttributePath {
  try {
    const reader = new Reader(text)
    const path = reader.readName()
    const filter = reader.isNext('[') ? reader.readValueFilter() : null
    const rest = reader.isAtEnd ? null : reader.take()
    if (!reader.isAtEnd || (rest && (!filter || rest.kind !== 'word' || !rest.text.startsWith('.'))))
      throw badPath(text)
    return { path, filter, sub: rest ? rest.text.slice(1).toLowerCase() : null }
  } catch {
    throw badPath(text)
  }
}

const badPath = (text: string) => errors['scim.bad-path']({ params: { path: text.slice(0, 100) } })

/** Does the filter of a path match this value of a multi-valued attribute? Names of the value in lower case. */
export function matchesValue(filter: Filter, value: Readonly<Record<string, FilterValue>>): boolean {
  if (filter.kind === 'and') return filter.parts.every((part) => matchesValue(part, value))
  if (filter.kind === 'or') return filter.parts.some((part) => matchesValue(part, value))
  if (filter.kind === 'not') return !matchesValue(filter.part, value)
  if (filter.kind === 'values') return false
  const own = entryOf(value, filter.path) ?? null
  if (filter.kind === 'present') return own !== null
  const [a, b] = [own, filter.value].map((one) => String(one ?? '').toLowerCase()) as [string, string]
  const tests: Record<Comparison, boolean> = {
    ...{ eq: a === b, ne: a !== b, co: a.includes(b), sw: a.startsWith(b), ew: a.endsWith(b) },
    ...{ gt: a > b, ge: a >= b, lt: a < b, le: a <= b },
  }
  return tests[filter.op]
}
