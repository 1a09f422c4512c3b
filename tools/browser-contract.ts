import { readFileSync } from 'node:fs'
import { type Plugin, parseSync } from 'vite'

const CONTRACT = /[\\/]shared[\\/]contract[\\/][\w-]+\.ts(?:\?(?:plain|shapes))?$/
const PART = /[\\/]shared[\\/]contract[\\/][\w-]+\.ts\?(?:plain|shapes)$/

type Node = { type: string; start: number; end: number } & Record<string, unknown>
/** Replaces the code from `start` to `end` by `text`. */
type Edit = { start: number; end: number; text: string }

/**
 * The contract for browsers: addresses without shapes and without words. Types have held every call and answer against its shapes by then,
 * and the server alone judges what arrives; making some hundred shapes costs a phone a tenth of a second before anything is shown.
 * What a page parses by itself is named there, and stays; it is a module of its own, so that zod comes with such pages alone.
 */
export const browserContract = (): Plugin => ({
  name: 'browser-contract',
  load: {
    filter: { id: PART },
    handler: (id) => readFileSync(id.replace(/\?.*/, ''), 'utf8'),
  },
  transform: {
    // After the types are removed, so that the executed code is edited.
    order: 'post',
    filter: { id: CONTRACT },
    handler(code, id) {
      const [file = id, part] = id.split('?')
      const parts = splitShapes(withoutShapes(code, this.parse(code)), `./${file.replace(/.*[\\/]/, '')}`)
      return {
        code: parts[part === 'plain' || part === 'shapes' ? part : 'whole'],
        map: null,
        moduleSideEffects: false,
      }
    },
  },
})

/** What pages parse by themselves is loaded with them, and never by others. */
export const isShapes = (id: string): boolean => id.endsWith('?shapes')

/** @param program what `code` was parsed to. */
export function withoutShapes(code: string, program: object): string {
  const edits = [...callsOf(program as Node), ...declarationsOf(program as Node)]
  let text = code
  // From the end, so that earlier positions stay valid.
  for (const { start, end, text: instead } of edits.toSorted((one, other) => other.start - one.start))
    text = text.slice(0, start) + instead + text.slice(end)
  return text
}

/** The schemas and texts of each `get(…)` and `post(…)`. */
function callsOf(node: Node): Edit[] {
  if (node.type === 'CallExpression' && ['get', 'post'].includes((node['callee'] as { name?: string }).name ?? '')) {
    const [, , input, , options] = node['arguments'] as Node[]
    return input && options ? [{ start: input.start, end: options.end, text: 'void 0, void 0, {}' }] : []
  }
  return childrenOf(node).flatMap(callsOf)
}

/**
 * A contract only declares, so unused declarations need not be evaluated: bundlers can't tell that for a chain of
 * calls.
 */
function declarationsOf(program: Node): Edit[] {
  return (program['body'] as Node[])
    .map((statement) => (statement['declaration'] as Node | null | undefined) ?? statement)
    .filter(({ type }) => type === 'VariableDeclaration')
    .flatMap((statement) => statement['declarations'] as { id: { name: string }; init: Node | null }[])
    .flatMap(({ id, init }) =>
      // The shape of calls that have none is as little looked at as the others.
      init && id.name === 'Nothing'
        ? [{ start: init.start, end: init.end, text: 'void 0' }]
        : init && callsWhenMade(init)
          ? [
              { start: init.start, end: init.start, text: '/* @__PURE__ */ (() => (' },
              { start: init.end, end: init.end, text: '))()' },
            ]
          : [],
    )
}

/** Does evaluating an expression call anything, including within objects and arrays? */
function callsWhenMade(node: Node): boolean {
  if (['CallExpression', 'NewExpression'].includes(node.type)) return true
  if (['ArrowFunctionExpression', 'FunctionExpression'].includes(node.type)) return false
  return childrenOf(node).some(callsWhenMade)
}

const childrenOf = (node: Node): Node[] =>
  Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter((child): child is Node => typeof child === 'object' && child !== null && 'type' in child)

type Parts = { whole: string; plain: string; shapes: string }
type Statement = { text: string; names: string[]; isExported: boolean; uses: Set<string> }
type Import = { from: string; names: { local: string; imported: string }[] }

/**
 * A module of the contract in two: what makes shapes, and what does without. The module itself passes both on.
 * @param name by which a module beside it imports it.
 */
export function splitShapes(code: string, name: string): Parts {
  const body = (parseSync('contract.js', code).program as unknown as Node)['body'] as Node[]
  const imports = body.filter(({ type }) => type === 'ImportDeclaration').map(importOf)
  const statements = body.filter(({ type }) => type !== 'ImportDeclaration').map((node) => statementOf(code, node))
  const shapes = shapesAmong(statements, imports)
  if (shapes.size === 0) return { whole: code, plain: code, shapes: '' }
  const plain = statements.filter((one) => !shapes.has(one))
  const usedBy = (some: Iterable<Statement>) => new Set([...some].flatMap(({ uses }) => [...uses]))
  const shared = plain.flatMap(({ names }) => names).filter((one) => usedBy(shapes).has(one))
  const exported = (some: Iterable<Statement>) => [...some].flatMap((one) => (one.isExported ? one.names : []))
  const hidden = shared.filter((one) => !exported(plain).includes(one))
  const passOn = (names: string[], part: string) => `export { ${names.join(', ')} } from '${name}?${part}'`
  return {
    whole: [passOn(exported(plain), 'plain'), passOn(exported(shapes), 'shapes')].join('\n'),
    plain: [
      ...importsFor(imports, usedBy(plain)),
      ...plain.map(({ text }) => text),
      `export { ${hidden.join(', ')} }`,
    ].join('\n'),
    shapes: [
      ...importsFor(imports, usedBy(shapes)),
      `import { ${shared.join(', ')} } from '${name}?plain'`,
      ...[...shapes]
        .toSorted((one, other) => statements.indexOf(one) - statements.indexOf(other))
        .map(({ text }) => text),
    ].join('\n'),
  }
}

/** What speaks of a shape: they are written with a capital, and come from zod, from another module of the contract or from this one. */
function shapesAmong(statements: Statement[], imports: Import[]): Set<Statement> {
  const isShape = ({ from, imported }: { from: string; imported: string }) =>
    from === 'zod' || /^[A-Z][a-z]/.test(imported)
  const names = new Set(
    imports
      .flatMap(({ from, names }) => names.map((one) => ({ from, ...one })))
      .filter(isShape)
      .map(({ local }) => local),
  )
  const shapes = new Set<Statement>()
  for (let before = -1; before < shapes.size; ) {
    before = shapes.size
    for (const one of statements.filter(({ uses }) => [...uses].some((used) => names.has(used)))) {
      shapes.add(one)
      for (const declared of one.names) names.add(declared)
    }
  }
  return shapes
}

function importOf(node: Node): Import {
  const specifiers = node['specifiers'] as { local: { name: string }; imported?: { name: string } }[]
  return {
    from: (node['source'] as { value: string }).value,
    names: specifiers.map(({ local, imported }) => ({ local: local.name, imported: imported?.name ?? 'default' })),
  }
}

function importsFor(imports: Import[], used: Set<string>): string[] {
  return imports.flatMap(({ from, names }) => {
    const wanted = names.filter(({ local }) => used.has(local))
    if (wanted.length === 0) return []
    return [`import { ${wanted.map(({ imported, local }) => `${imported} as ${local}`).join(', ')} } from '${from}'`]
  })
}

function statementOf(code: string, node: Node): Statement {
  const declared = (node['declaration'] as Node | null | undefined) ?? node
  const declarations = (declared['declarations'] as { id: { name: string } }[] | undefined) ?? []
  const own = declared['id'] as { name: string } | null | undefined
  return {
    text: code.slice(node.start, node.end),
    names: own ? [own.name] : declarations.map(({ id }) => id.name),
    isExported: node.type === 'ExportNamedDeclaration',
    uses: new Set(namesIn(declared)),
  }
}

/** The names that a statement speaks of; those of properties are none. */
function namesIn(node: Node): string[] {
  if (node.type === 'Identifier') return [node['name'] as string]
  const isPlain = node['computed'] !== true && node['shorthand'] !== true
  const skipped = isPlain ? { MemberExpression: 'property', Property: 'key' }[node.type] : undefined
  return childrenOf(skipped ? { ...node, [skipped]: null } : node).flatMap(namesIn)
}
