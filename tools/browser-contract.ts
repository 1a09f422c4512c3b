import type { Plugin } from 'vite'

const CONTRACT = /[\\/]shared[\\/]contract[\\/][\w-]+\.ts$/

type Node = { type: string; start: number; end: number } & Record<string, unknown>
/** `text` instead of what stands from `start` to `end`. */
type Edit = { start: number; end: number; text: string }

/**
 * The contract for browsers: addresses without shapes and without words. Types have held every call and answer against its shapes by then,
 * and the server alone judges what arrives; making some hundred shapes costs a phone a tenth of a second before anything is shown.
 * What a page parses by itself is named there, and stays.
 */
export const browserContract = (): Plugin => ({
  name: 'browser-contract',
  transform: {
    // After the types are gone, so that what is edited is what runs.
    order: 'post',
    filter: { id: CONTRACT },
    handler(code) {
      return { code: withoutShapes(code, this.parse(code)), map: null }
    },
  },
})

/** @param program what `code` was parsed to. */
export function withoutShapes(code: string, program: object): string {
  const edits = [...callsOf(program as Node), ...declarationsOf(program as Node)]
  let text = code
  // The last first, so that the places of the others stay right.
  for (const { start, end, text: instead } of edits.toSorted((one, other) => other.start - one.start))
    text = text.slice(0, start) + instead + text.slice(end)
  return text
}

/** The shapes and words of each `get(…)` and `post(…)`. */
function callsOf(node: Node): Edit[] {
  if (node.type === 'CallExpression' && ['get', 'post'].includes((node['callee'] as { name?: string }).name ?? '')) {
    const [, , input, , options] = node['arguments'] as Node[]
    return input && options ? [{ start: input.start, end: options.end, text: 'void 0, void 0, {}' }] : []
  }
  return childrenOf(node).flatMap(callsOf)
}

/** A contract declares and does nothing else, so what nobody uses of it need not be made: bundlers can't tell that of a chain of calls. */
function declarationsOf(program: Node): Edit[] {
  return (program['body'] as Node[])
    .map((statement) => (statement['declaration'] as Node | null | undefined) ?? statement)
    .filter(({ type }) => type === 'VariableDeclaration')
    .flatMap((statement) => statement['declarations'] as { init: Node | null }[])
    .flatMap(({ init }) =>
      init && callsWhenMade(init)
        ? [
            { start: init.start, end: init.start, text: '/* @__PURE__ */ (() => (' },
            { start: init.end, end: init.end, text: '))()' },
          ]
        : [],
    )
}

/** Does an expression call anything as it is evaluated, be it within an object or a list? */
function callsWhenMade(node: Node): boolean {
  if (['CallExpression', 'NewExpression'].includes(node.type)) return true
  if (['ArrowFunctionExpression', 'FunctionExpression'].includes(node.type)) return false
  return childrenOf(node).some(callsWhenMade)
}

const childrenOf = (node: Node): Node[] =>
  Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter((child): child is Node => typeof child === 'object' && child !== null && 'type' in child)
