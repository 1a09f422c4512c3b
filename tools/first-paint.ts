import type { Plugin } from 'vite'

/** The page before its scripts have loaded: the shell of `server/features/appearance/portal-html.render.ts`. */
const SHELL =
  /^(:root(?!\[data-narrow).*|\*|::?(before|after)|html|body|p|a|\.(shell|bar|brand|mark|page|skeleton|shell-still|shell-late|waiting|waiting-line)|\.waiting-line:first-of-type|\[data-state="?failed"?\] \.shell-late)$/
/** At-rules with nested rules. */
const CONDITION = /^@(media|supports)/

type Rule = { head: string; body: string }

/** The rules of a sheet, in order, including conditional ones. */
function rulesOf(sheet: string): Rule[] {
  const open = sheet.indexOf('{')
  if (open < 0) return []
  const end = endOfRule(sheet, open)
  const rule = { head: sheet.slice(0, open).trim(), body: sheet.slice(open + 1, end) }
  return [rule, ...rulesOf(sheet.slice(end + 1))]
}

/** The position of the brace that closes the one at `open`. */
function endOfRule(sheet: string, open: number): number {
  let depth = 0
  for (const { 0: brace, index } of sheet.slice(open).matchAll(/[{}]/g)) {
    depth += brace === '{' ? 1 : -1
    if (depth === 0) return open + index
  }
  throw new Error(`no end of the rule ${sheet.slice(open - 40, open)}`)
}

/** The part of a rule that concerns the shell; null: none. */
function partOf({ head, body }: Rule): Rule | null {
  if (CONDITION.test(head)) {
    const inner = rulesOf(body).flatMap((rule) => partOf(rule) ?? [])
    return inner.length > 0 ? { head, body: written(inner) } : null
  }
  if (head.startsWith('@keyframes')) return { head, body }
  const selectors = head.split(/,(?![^(]*\))/).filter((selector) => SHELL.test(selector.trim()))
  return selectors.length > 0 ? { head: selectors.join(','), body } : null
}

const written = (rules: Rule[]): string => rules.map(({ head, body }) => `${head}{${body}}`).join('')

/** Removes unused custom properties and animations until none are left. */
function withoutUnused(sheet: string): string {
  const asked = new Set([...sheet.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name))
  const slimmer = sheet
    .replaceAll(/(--[\w-]+):(?:[^;}"]|"[^"]*")*;?/g, (declaration, name: string) =>
      asked.has(name) ? declaration : '',
    )
    .replaceAll(/@keyframes ([\w-]+)\{(?:[^{}]*\{[^}]*\})*\}/g, (frames, name: string) =>
      new RegExp(`animation:[^;}]*\\b${name}\\b`).test(sheet) ? frames : '',
    )
    .replaceAll(/[^{}]+\{\}/g, '')
  return slimmer === sheet ? sheet : withoutUnused(slimmer)
}

/**
 * The part of the application's style sheet that the shell needs: inlined into the page, so that the first paint waits
 * for nothing.
 */
export const firstPaintStyles = (sheet: string): string =>
  withoutUnused(written(rulesOf(sheet).flatMap((rule) => partOf(rule) ?? [])))

const HEAD_END = 'document.head.appendChild(link)'

/**
 * `.vite/first-paint.css`. The sheets themselves are in the body, after the shell, so sheets loaded later must go there
 * too: in the head earlier sheets would override them.
 */
export const firstPaintPlugin = (): Plugin => ({
  name: 'first-paint',
  enforce: 'post',
  transform: {
    filter: { id: /vite\/preload-helper/ },
    handler(code) {
      if (!code.includes(HEAD_END)) throw new Error('the preload helper of vite no longer adds its links to the head')
      return { code: code.replace(HEAD_END, 'document.body.appendChild(link)'), map: null }
    },
  },
  generateBundle(_options, bundle) {
    const sheets = Object.values(bundle).filter(({ fileName }) => /\/core-[\w-]+\.css$/.test(fileName))
    const [sheet] = sheets
    if (sheets.length !== 1 || sheet?.type !== 'asset')
      throw new Error('there is no one style sheet that all pages share')
    this.emitFile({ type: 'asset', fileName: '.vite/first-paint.css', source: firstPaintStyles(String(sheet.source)) })
  },
})
