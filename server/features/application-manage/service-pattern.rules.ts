import { type AST, RegExpParser, RegExpSyntaxError } from '@eslint-community/regexpp'
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
  /** The parts of the pattern that the addresses don't cover. */
  narrowed: string[]
  /** Set if no address could be derived. */
  problem: PatternProblem | null
}

/** Anything at all (`.*`), and one character of several (`\d`, `[a-z]`), inside what a pattern can match. */
const ANY_TEXT = '\u0001'
const ANY_CHARACTER = '\u0002'
const MAX_VARIANTS = 60
/** Twice the longest address: each of its characters may be escaped. */
const MAX_PATTERN_LENGTH = 4000
/** Nested groups; nobody writes that many, and each takes room on the stack. */
const MAX_GROUP_DEPTH = 20

class UnreadablePatternError extends Error {}

/**
 * Converts the pattern of a service into addresses, never wider than the pattern: it is parsed, not run. What can't be expressed as an
 * exact address or a folder is left out and named.
 */
export function readPattern(pattern: string): PatternReading {
  if (pattern.length > MAX_PATTERN_LENGTH) return { addresses: [], narrowed: [], problem: 'too-long' }
  if (pattern.endsWith('/**') && addressProblem('service', pattern) === null) {
    return { addresses: [pattern], narrowed: [], problem: null }
  }
  const variants = variantsOf(pattern)
  if (!variants) return { addresses: [], narrowed: [], problem: 'pattern' }
  const read = variants.map((variant) => ({ variant, ...addressOf(variant) }))
  const addresses = [...new Set(read.flatMap(({ address }) => (address ? [address] : [])))]
  const narrowed = read
    .filter(({ address, isExact }) => !address || !isExact)
    .map(({ variant }) => toDisplayPattern(variant))
  return {
    addresses: withoutCovered(addresses),
    narrowed: addresses.length > 0 ? [...new Set(narrowed)] : [],
    problem: addresses.length > 0 ? null : (read[0]?.problem ?? 'pattern'),
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

/** `https://app.school.edu.*` also matches app.school.edu.elsewhere.net: only the host itself is taken. */
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
  // `/app.*` also matches /apple; only the folder can be expressed.
  return usable(`${origin}${folder.endsWith('/') ? folder : `${folder}/`}**`, folder.endsWith('/'))
}

function usable(address: string, isExact: boolean): AddressReading {
  const problem = addressProblem('service', address)
  if (problem === null) return { address, isExact }
  if (problem === 'host') return { problem: 'wildcard-host' }
  return { problem: problem === 'dot-segment' ? problem : 'not-web' }
}

const parser = new RegExpParser()

function variantsOf(pattern: string): string[] | null {
  const text = pattern.replace(/^\(\?i\)/, '')
  if (groupDepth(text) > MAX_GROUP_DEPTH) return null
  try {
    return variantsOfAlternatives(parser.parsePattern(text))
  } catch (error) {
    if (error instanceof UnreadablePatternError || error instanceof RegExpSyntaxError) return null
    throw error
  }
}

/** Checked before the parser, which takes several stack frames for each. */
function groupDepth(text: string): number {
  let depth = 0
  let deepest = 0
  for (const sign of text.replace(/\\./gs, '')) {
    if (sign === '(') deepest = Math.max(deepest, ++depth)
    if (sign === ')') depth -= 1
  }
  return deepest
}

function variantsOfAlternatives({ alternatives }: { alternatives: AST.Alternative[] }): string[] {
  const variants: string[] = []
  for (const { elements } of alternatives) {
    variants.push(...variantsOfSequence(elements))
    if (variants.length > MAX_VARIANTS) throw new UnreadablePatternError()
  }
  return variants
}

function variantsOfSequence(elements: AST.Element[]): string[] {
  let variants = ['']
  // What all variants have in common is added once, not character by character to each.
  let common = ''
  for (const element of elements) {
    const next = variantsOfElement(element)
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

/** The few elements that addresses are written with. */
function variantsOfElement(element: AST.Element): string[] {
  switch (element.type) {
    case 'Character':
      return [characterOf(element)]
    case 'CharacterSet':
      return [element.kind === 'any' ? '.' : ANY_CHARACTER]
    case 'CharacterClass':
      return [classOf(element)]
    case 'CapturingGroup':
      return variantsOfAlternatives(element)
    case 'Group':
      if (element.modifiers) throw new UnreadablePatternError()
      return variantsOfAlternatives(element)
    case 'Quantifier':
      return repeated(element)
    case 'Assertion':
      if (element.kind === 'start' || element.kind === 'end') return ['']
  }
  throw new UnreadablePatternError()
}

function characterOf({ raw }: AST.Character): string {
  if (!raw.startsWith('\\')) {
    // Invalid in Java too, or read differently there.
    if ('{}]'.includes(raw)) throw new UnreadablePatternError()
    return raw
  }
  if (/^\\[A-Za-z0-9]/.test(raw)) throw new UnreadablePatternError()
  return raw.slice(1)
}

function classOf({ negate, elements }: AST.CharacterClass): string {
  const [one] = elements
  // Empty, it means nothing here and something else in Java.
  if (!one) throw new UnreadablePatternError()
  const sign = one.type === 'Character' && elements.length === 1 && !negate ? String.fromCodePoint(one.value) : ''
  return /^[.\-_/:]$/.test(sign) ? sign : ANY_CHARACTER
}

function repeated({ element, raw, parent }: AST.Quantifier): string[] {
  const sign = raw.slice(element.raw.length)
  const variants = variantsOfElement(element)
  if (sign === '?' && isQuery(parent, element.end)) return variants.map((variant) => `${variant}?`)
  if (sign === '?' || sign === '??') return [...variants, '']
  if (!/^[*+]\??$/.test(sign)) throw new UnreadablePatternError()
  if (element.type === 'CharacterSet' && element.kind === 'any') return [ANY_TEXT]
  if (variants.length === 1 && variants[0] === ANY_CHARACTER) return [ANY_CHARACTER]
  throw new UnreadablePatternError()
}

/** `…login?id=1` was meant as an address: nobody makes the n of login optional. */
function isQuery({ raw, start }: AST.Alternative, end: number): boolean {
  return /^\w\?[\w-]+=/.test(raw.slice(end - start - 1))
}
