import type { Plugin } from 'vite'
import { tokenStyles } from '../shared/rules/design-tokens.ts'
import { readingStyles } from '../shared/rules/reading-palettes.ts'

const SHEETS: Record<string, () => string> = {
  'virtual:tokens.css': tokenStyles,
  'virtual:reading.css': readingStyles,
}

/** `virtual:tokens.css`: the design tokens as custom properties; `virtual:reading.css`: those of the reading schemes. */
export function tokens(): Plugin {
  return {
    name: 'tokens',
    resolveId: (source) => (source in SHEETS ? `\0${source}` : null),
    load: (source) => SHEETS[source.slice(1)]?.() ?? null,
  }
}
