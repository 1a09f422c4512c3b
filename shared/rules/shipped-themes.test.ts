import { expect, test } from 'vitest'
import { withBrandColour } from './brand-palette.ts'
import { contrast } from './contrast.ts'
import { adjustPair, contrastPairs, measurePairs } from './contrast-pairs.ts'
import type { Scheme } from './design-tokens.ts'
import { fromOklch, toOklch } from './oklch.ts'
import { SHIPPED_CODES, SHIPPED_THEMES } from './shipped-themes.ts'
import { sceneOf, themeStyles } from './theme-design.ts'

const CASES = SHIPPED_CODES.flatMap((code) => (['light', 'dark'] as Scheme[]).map((scheme) => [code, scheme] as const))

test.each(CASES)('every pair that %s draws in the %s has the contrast that it needs', (code, scheme) => {
  const failing = measurePairs(SHIPPED_THEMES[code][scheme], scheme).filter(({ passes }) => !passes)
  expect(failing.map(({ text, on, ratio }) => `${text} on ${on}: ${ratio.toFixed(2)}`)).toEqual([])
})

test.each(CASES)('the words on the sky of %s can be read in the %s', (code, scheme) => {
  const { skyInk = '', brand = '', skyTop = '', skyLow = '' } = sceneOf(SHIPPED_THEMES[code][scheme], scheme)
  for (const words of [skyInk, brand])
    for (const sky of [skyTop, skyLow]) expect(contrast(words, sky)).toBeGreaterThanOrEqual(4.5)
})

test('a colour survives conversion to OKLCH and back', () => {
  for (const colour of ['#000000', '#ffffff', '#1f4b99', '#a8452c', '#7fd3e0', '#123456'])
    expect(fromOklch(toOklch(colour))).toBe(colour)
})

test('adjusting a pair moves one lightness until every pair with that colour passes, and keeps the hue', () => {
  const weak = { ...SHIPPED_THEMES.gatehouse.light, muted: '#a8b0bc', fieldBorder: '#dddddd' }
  for (const pair of measurePairs(weak, 'light').filter(({ passes }) => !passes)) {
    const mended = adjustPair(weak, 'light', pair)
    expect(mended, pair.text).not.toBeNull()
    if (!mended) continue
    expect(contrast(mended[pair.text], mended[pair.on])).toBeGreaterThanOrEqual(pair.least)
    const changed = Object.keys(weak).filter(
      (key) => mended[key as keyof typeof weak] !== weak[key as keyof typeof weak],
    )
    expect(changed).toEqual([pair.text])
  }
})

test('a scheme lists each pair once', () => {
  for (const scheme of ['light', 'dark'] as const) {
    const names = contrastPairs(scheme).map(({ text, on }) => `${text} ${on}`)
    expect(new Set(names).size).toBe(names.length)
  }
})

test('the style sheet of a theme contains only values of the theme', () => {
  const { lake } = SHIPPED_THEMES
  const evil = '/auth_service/auth_files/preview_file/x)} body{display:none'
  const sheet = themeStyles({ ...lake, background: { ...lake.background, kind: 'picture', file: evil } })
  expect(sheet).not.toContain('body')
  expect(sheet).toContain('--round:12')
})

test('until there is a picture, the drawing stands in its place', () => {
  const { wisteria } = SHIPPED_THEMES
  const withoutPicture = { ...wisteria, background: { ...wisteria.background, kind: 'picture' as const } }
  expect(themeStyles(withoutPicture)).toBe(themeStyles(wisteria))
})

test.each(['#1f4b99', '#ffd500', '#e60012', '#00a651', '#000000', '#ffffff', '#7b2cbf'])(
  'the brand colour %s gives a look in which every pair can be read, light and dark',
  (brand) => {
    const design = withBrandColour(SHIPPED_THEMES.gatehouse, brand)
    for (const scheme of ['light', 'dark'] as const) {
      const failing = measurePairs(design[scheme], scheme).filter(({ passes }) => !passes)
      expect(failing.map(({ text, on, ratio }) => `${scheme} ${text} on ${on}: ${ratio.toFixed(2)}`)).toEqual([])
    }
  },
)
