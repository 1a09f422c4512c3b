import { expect, test } from 'vitest'
import { contrast } from './contrast.ts'
import { SCENES } from './design-tokens.ts'
import {
  formatReading,
  parseReading,
  READING,
  READING_DEFAULTS,
  type ReadingChoices,
  readingMarks,
} from './reading-choices.ts'
import { readingPalette, readingStyles } from './reading-palettes.ts'

const chosen: ReadingChoices = {
  open: true,
  size: 140,
  mouse: 'yellow',
  guide: 'line',
  contrast: 'yellow-on-blue',
  aloud: true,
  speed: 125,
  caption: true,
}

test('choices survive writing and reading', () => {
  for (const choices of [chosen, READING_DEFAULTS]) expect(parseReading(formatReading(choices))).toEqual(choices)
  expect(formatReading(chosen)).toMatch(/^[\w.-]+$/)
})

test.each([
  undefined,
  '',
  '1',
  '1.140.yellow.line.yellow-on-blue.1.125',
  '1.140.yellow.line.yellow-on-blue.1.125.1.1',
  '1.141.yellow.line.yellow-on-blue.1.125.1',
  '2.140.yellow.line.yellow-on-blue.1.125.1',
  '1.140."><script>.line.none.1.125.1',
  '1.140.toString.line.none.1.125.1',
])('the damaged choice %j is none', (text) => {
  expect(parseReading(text)).toBeNull()
})

test('only non-default choices mark the document', () => {
  expect(readingMarks(null)).toEqual({ size: null, contrast: null, mouse: null })
  expect(readingMarks(chosen)).toEqual({ size: '140', contrast: 'yellow-on-blue', mouse: 'yellow' })
})

const SCHEMES = READING.contrast.filter((scheme) => scheme !== 'none')

test.each(SCHEMES)('every text of %s has a contrast of 7 on every ground', (scheme) => {
  const palette = readingPalette(scheme)
  const grounds = ['ground', 'card', 'tint', 'dangerTint', 'wellTint', 'cautionTint'] as const
  for (const text of ['ink', 'muted', 'primary', 'primaryHover', 'danger', 'well', 'caution', 'brick'] as const) {
    for (const on of grounds) {
      expect(contrast(palette[text], palette[on]), `${text} on ${on}`).toBeGreaterThanOrEqual(7)
    }
  }
  for (const on of ['primary', 'primaryHover'] as const) {
    expect(contrast(palette.onPrimary, palette[on]), `on ${on}`).toBeGreaterThanOrEqual(7)
  }
  expect(contrast(palette.focus, palette.card)).toBeGreaterThanOrEqual(7)
})

test('the words on the sky of the login page follow the scheme, too', () => {
  for (const name of ['--sky-ink', '--sky-top', '--sky-low', '--brand']) {
    expect(readingStyles().split(name)).toHaveLength(SCHEMES.length + 1)
  }
  expect(Object.keys(SCENES.light)).toEqual(expect.arrayContaining(['skyInk', 'skyTop', 'skyLow', 'brand']))
})
