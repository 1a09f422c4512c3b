import { addressProblem } from '#shared/rules/application-address.ts'
import { coversAddress, parseWebAddress } from '#shared/rules/redirect-target.ts'

/** Each has the message `service-import.reason.<name>`. */
type PatternProblem =
  | 'pattern'
  | 'too-long'
  | 'scheme'
  | 'matches-everything'
  | 'wildcard-host'
  | 'wildcard-path'
  | 'wildcard-query'
  | 'dot-segment'
  | 'not-web'

export type PatternReading = {
  addresses: string[]
  /** The pattern let more in than the addresses do: what was left out, or drawn closer. */
  narrowed: string[]
  /** Set when no address came out. */
  hopeless: PatternProblem | null
}

/** Anything at all (`.*`), and one sign of several (`\d`, `[a-z]`), inside what a pattern can match. */
const ANY_TEXT = '\u0001'
const ANY_CHARACTER = '\u0002'
const MAX_VARIANTS = 60
/** Twice the longest address: every sign of it may be escaped. */
const MAX_PATTERN_LENGTH = 4000
/** Groups within groups; nobody writes that many, and each takes room on the stack. */
const MAX_GROUP_DEPTH = 20

class UnreadablePatternError extends Error {}

/**
 * Reads the pattern of a service as addresses of ours, never as more than the pattern lets in: it is taken apart, not run.
 * What can't be said as a whole address or a folder is left out and named.
 */
export function readPattern(pattern: string): PatternReading {
  if (pattern.length > MAX_PATTERN_LENGTH) return { addresses: [], narrowed: [], hopeless: 'too-long' }
  if (pattern.endsWith('/**') && addressProblem('service', pattern) === null) {
    return { addresses: [pattern], narrowed: [], hopeless: null }
  }
  const variants = variantsOf(pattern)
  if (!variants) return { addresses: [], narrowed: [], hopeless: 'pattern' }
  const read = variants.map((variant) => ({ variant, ...addressOf(variant) }))
  const addresses = [...new Set(read.flatMap(({ address }) => (address ? [address] : [])))]
  const narrowed = read
    .filter(({ address, isExact }) => !address || !isExact)
    .map(({ variant }) => toDisplayPattern(variant))
  return {
    addresses: withoutCovered(addresses),
    narrowed: addresses.length > 0 ? [...new Set(narrowed)] : [],
    hopeless: addresses.length > 0 ? null : (read[0]?.problem ?? 'pattern'),
  }
}

const toDisplayPattern = (variant: string): string => variant.replaceAll(ANY_TEXT, '…').replaceAll(ANY_CHARACTER, '?')

const withoutCovered = (addresses: string[]): string[] =>
  addresses.filter((one) => {
    const url = one.endsWith('/**') ? null : parseWebAddress(one)
    return !url || !addresses.some((other) => other !== one && coversAddress(other, url))
  })

type AddressReading = { address?: string; isExact?: boolean; problem?: PatternProblem }

function addressOf(variant: string): AddressReading {
  const [, scheme, authority = '', rest = ''] = /^(https?):\/\/([^/?]*)(.*)$/s.exec(variant) ?? []
  const isEverything = authority === ANY_TEXT && /^(\/\u0001?)?$/.test(rest)
  if (isEverything || variant.startsWith(ANY_TEXT) || /^https?(:\/?)?\u0001/.test(variant)) {
    return { problem: 'matches-everything' }
  }
  if (!scheme) return { problem: 'scheme' }
  if (rest === '' && authority.endsWith(ANY_TEXT)) return withOpenHost(scheme, authority.slice(0, -1))
  if (/[\u0001\u0002]/.test(authority)) return { problem: 'wildcard-host' }
  return withPath(`${scheme}://${authority}`, rest)
}

/** `https://app.school.edu.*` also means app.school.edu.elsewhere.net: only the host itself is taken. */
function withOpenHost(scheme: string, host: string): AddressReading {
  const isHost = /\.|^localhost/.test(host) && !/[\u0001\u0002]/.test(host)
  return isHost ? usable(`${scheme}://${host}/**`, false) : { problem: 'wildcard-host' }
}

function withPath(origin: string, rest: string): AddressReading {
  const at = rest.indexOf(ANY_TEXT)
  if (rest.includes(ANY_CHARACTER) || (at >= 0 && at < rest.length - 1)) return { problem: 'wildcard-path' }
  if (at < 0) return usable(origin + rest, true)
  const folder = rest.slice(0, -1)
  if (folder.includes('?')) return { problem: 'wildcard-query' }
  // `/app.*` also means /apple; the folder alone is the part of it that can be said.
  return usable(`${origin}${folder.endsWith('/') ? folder : `${folder}/`}**`, folder.endsWith('/'))
}

function usable(address: string, isExact: boolean): AddressReading {
  const problem = addressProblem('service', address)
  if (problem === null) return { address, isExact }
  if (problem === 'host') return { problem: 'wildcard-host' }
  return { problem: problem === 'dot-segment' ? problem : 'not-web' }
}

function variantsOf(pattern: string): string[] | null {
  try {
    const reader = new PatternReader(pattern.replace(/^\(\?i\)/, ''))
    return reader.read()
  } catch (error) {
    if (error instanceof UnreadablePatternError) return null
    throw error
  }
}

/** A reader of the few signs of regular expressions that addresses are written with. */
class PatternReader {
  readonly #text: string
  #at = 0
  #level = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): string[] {
    const variants = this.#alternatives()
    if (this.#at < this.#text.length) throw new UnreadablePatternError()
    return variants
  }

  #alternatives(): string[] {
    const variants = this.#sequence()
    while (this.#take('|')) variants.push(...this.#sequence())
    if (variants.length > MAX_VARIANTS) throw new UnreadablePatternError()
    return variants
  }

  #sequence(): string[] {
    let variants = ['']
    // What all variants have in common is added once, not sign by sign to each.
    let common = ''
    while (this.#at < this.#text.length && !'|)'.includes(this.#peek())) {
      const next = this.#repeated(this.#atom())
      if (next.length === 1) {
        common += next[0]
        continue
      }
      const head = common
      variants = variants.flatMap((variant) => next.map((tail) => variant + head + tail))
      common = ''
      if (variants.length > MAX_VARIANTS) throw new UnreadablePatternError()
    }
    return variants.map((variant) => variant + common)
  }

  #repeated(atom: string[]): string[] {
    const isDot =
      atom.length === 1 && atom[0] === '.' && this.#text[this.#at - 1] === '.' && this.#text[this.#at - 2] !== '\\'
    if (this.#isQuery()) return atom
    if (this.#take('?')) return [...atom, '']
    if (this.#take('*') || this.#take('+')) {
      this.#take('?')
      if (isDot) return [ANY_TEXT]
      if (atom.length === 1 && atom[0] === ANY_CHARACTER) return [ANY_CHARACTER]
      throw new UnreadablePatternError()
    }
    if (this.#peek() === '{') throw new UnreadablePatternError()
    return atom
  }

  /** `…login?id=1` was meant as an address: nobody makes the n of login optional. */
  #isQuery(): boolean {
    const isMeant = /^\?[\w-]+=/.test(this.#text.slice(this.#at))
    return isMeant && /\w/.test(this.#text[this.#at - 1] ?? '')
  }

  #atom(): string[] {
    const sign = this.#peek()
    this.#at += 1
    if (sign === '^' || sign === '$') return ['']
    if (sign === '(') return this.#group()
    if (sign === '[') return this.#set()
    if (sign === '\\') return [this.#escaped()]
    if ('*+{}]'.includes(sign)) throw new UnreadablePatternError()
    return [sign]
  }

  #group(): string[] {
    if (this.#take('?') && !this.#take(':')) throw new UnreadablePatternError()
    this.#level += 1
    if (this.#level > MAX_GROUP_DEPTH) throw new UnreadablePatternError()
    const variants = this.#alternatives()
    this.#level -= 1
    if (!this.#take(')')) throw new UnreadablePatternError()
    return variants
  }

  #set(): string[] {
    const end = this.#text.indexOf(']', this.#at)
    if (end < 0) throw new UnreadablePatternError()
    const inner = this.#text.slice(this.#at, end)
    this.#at = end + 1
    return /^\\?[.\-_/:]$/.test(inner) ? [inner.replace('\\', '')] : [ANY_CHARACTER]
  }

  #escaped(): string {
    const sign = this.#peek()
    this.#at += 1
    if (sign === '') throw new UnreadablePatternError()
    if (/[dDwWsS]/.test(sign)) return ANY_CHARACTER
    if (/[A-Za-z0-9]/.test(sign)) throw new UnreadablePatternError()
    return sign
  }

  #peek = (): string => this.#text[this.#at] ?? ''

  #take(sign: string): boolean {
    if (this.#peek() !== sign) return false
    this.#at += 1
    return true
  }
}
