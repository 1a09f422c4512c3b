import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contrastPairs } from '#shared/rules/contrast-pairs.ts'
import { PALETTES, type Palette } from '#shared/rules/design-tokens.ts'

const WEB = new URL('../web/', import.meta.url).pathname

/** The named colour of a declaration, such as `dangerTint` of `background: var(--danger-tint)`. */
function colourOf(rule: string, property: 'background' | 'color'): keyof Palette | null {
  const name = new RegExp(`(?:^|[;{\\s])${property}(?:-color)?:\\s*var\\(--([a-z-]+)\\)`).exec(rule)?.[1]
  const key = name?.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return key && Object.hasOwn(PALETTES.light, key) ? (key as keyof Palette) : null
}

test('any two colours that a style sheet draws on each other are a pair that the contrast meter measures', () => {
  const measured = new Set(contrastPairs('light').flatMap(({ text, on }) => [`${text} on ${on}`, `${on} on ${text}`]))
  const drawn = globSync('**/*.css', { cwd: WEB }).flatMap((file) => {
    const rules = readFileSync(WEB + file, 'utf8').match(/[^{}]+\{[^{}]*\}/g) ?? []
    return rules.flatMap((rule) => {
      const [text, on] = [colourOf(rule, 'color'), colourOf(rule, 'background')]
      return text && on ? [{ file, pair: `${text} on ${on}` }] : []
    })
  })
  expect(drawn.length).toBeGreaterThan(20)
  expect(drawn.filter(({ pair }) => !measured.has(pair))).toEqual([])
})
