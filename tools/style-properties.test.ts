import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tokenStyles } from '#shared/rules/design-tokens.ts'
import { readingStyles } from '#shared/rules/reading-palettes.ts'

const WEB = new URL('../web/', import.meta.url).pathname
/** Set at the element: by a library, and by its script under names that it puts together. */
const SET_ELSEWHERE = ['--trigger-width', '--reading-arrow', '--reading-hand', '--reading-text']

const allOf = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name)

test('every custom property that a style sheet uses is a token or set somewhere', () => {
  const read = (pattern: string) => globSync(pattern, { cwd: WEB }).map((file) => readFileSync(WEB + file, 'utf8'))
  const sheets = read('**/*.css')
  const scripts = read('**/*.{ts,tsx}')
  const declared = [...sheets, tokenStyles(), readingStyles()].flatMap((text) => allOf(text, /(--[\w-]+)\s*:/g))
  const set = scripts.flatMap((text) => allOf(text, /['"`](--[\w-]+)/g))
  const known = new Set([...declared, ...set, ...SET_ELSEWHERE])
  // With a fallback it may be missing.
  const used = sheets.flatMap((text) => allOf(text, /var\((--[\w-]+)\s*\)/g))
  expect(used.length).toBeGreaterThan(500)
  expect([...new Set(used)].filter((name) => !known.has(name))).toEqual([])
})

test('what follows the scroll position is left out where browsers have no scroll timelines: it would stand at its end', () => {
  const timed = globSync('**/*.css', { cwd: WEB }).filter((file) =>
    readFileSync(WEB + file, 'utf8').includes('animation-timeline:'),
  )
  expect(timed.length).toBeGreaterThan(1)
  const unguarded = timed.filter((file) => {
    // Rules at the top end at a brace without indentation.
    const rules = readFileSync(WEB + file, 'utf8').split(/^\}$/m)
    return rules.some((rule) => rule.includes('animation-timeline:') && !rule.includes('@supports (animation-timeline'))
  })
  expect(unguarded).toEqual([])
})
