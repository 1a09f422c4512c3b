import type { Plugin } from 'vite'
import { tokenStyles } from '../shared/rules/design-tokens.ts'

const ID = 'virtual:tokens.css'

/** `virtual:tokens.css`: the design tokens as custom properties. */
export function tokens(): Plugin {
  return {
    name: 'tokens',
    resolveId: (source) => (source === ID ? `\0${ID}` : null),
    load: (source) => (source === `\0${ID}` ? tokenStyles() : null),
  }
}
