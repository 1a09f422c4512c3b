import { globSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { LOADED_ON_USE } from './outside-packages.ts'

type Graph = ReadonlyMap<string, readonly string[]>

const root = fileURLToPath(new URL('..', import.meta.url))
const isProduct = (file: string) => !file.endsWith('.test.ts') && !file.startsWith('server/testing/')

/** The relative imports and re-exports of a file: values, types and `import()` alike. */
function importsOf(file: string, text: string): string[] {
  const specifiers = [...text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.\.?\/[^']+)'/g)].map(([, path = '']) => path)
  return specifiers.map((path) => relative(root, resolve(root, dirname(file), path)))
}

function serverGraph(): Graph {
  const files = globSync('server/**/*.{ts,mjs}', { cwd: root }).filter(isProduct)
  return new Map(files.map((file) => [file, importsOf(file, readFileSync(resolve(root, file), 'utf8'))]))
}

/** `features/<name>` or `protocols/<name>`; null for anything else. */
const featureOf = (file: string): string | null => /^server\/((?:features|protocols)\/[\w-]+)\//.exec(file)?.[1] ?? null

function featureGraph(files: Graph): Graph {
  const features = new Map<string, string[]>()
  for (const [file, imports] of files) {
    const feature = featureOf(file)
    if (feature === null) continue
    const others = imports.map(featureOf).filter((other) => other !== null && other !== feature)
    features.set(feature, [...(features.get(feature) ?? []), ...(others as string[])])
  }
  return features
}

/** Everything reachable from a node; includes the node itself only in a cycle. */
function reachedFrom(graph: Graph, start: string): Set<string> {
  const reached = new Set<string>()
  const waiting = [...(graph.get(start) ?? [])]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (reached.has(node)) continue
    reached.add(node)
    waiting.push(...(graph.get(node) ?? []))
  }
  return reached
}

/** The cycles: groups whose members all reach each other, each sorted. */
function circlesOf(graph: Graph): string[][] {
  const reach = new Map([...graph.keys()].map((node) => [node, reachedFrom(graph, node)]))
  const groups = new Map<string, string[]>()
  for (const [node, reached] of reach) {
    if (!reached.has(node)) continue
    const group = [...reached].filter((other) => reach.get(other)?.has(node)).toSorted()
    groups.set(group.join(' '), group)
  }
  return [...groups.values()]
}

test('a cycle is found however long it is, and whatever else leads into it', () => {
  const graph = { entry: ['a'], a: ['b'], b: ['c', 'leaf'], c: ['a'], leaf: [], x: ['y'], y: ['x'], self: ['self'] }
  expect(circlesOf(new Map(Object.entries(graph)))).toEqual([['a', 'b', 'c'], ['x', 'y'], ['self']])
})

test('imports of types, re-exports and dynamic imports count', () => {
  const text = `import type { A } from './a.ts'\nexport { b } from '../b/index.ts'\nimport './c.ts'\nawait import('./d.ts')\n`
  const expected = ['server/x/a.ts', 'server/b/index.ts', 'server/x/c.ts', 'server/x/d.ts']
  expect(importsOf('server/x/x.ts', text)).toEqual(expected)
})

const files = serverGraph()

test('no import cycle between the files of the server, types included', () => {
  expect(files.size).toBeGreaterThan(400)
  expect(circlesOf(files)).toEqual([])
})

test('no import cycle between the features of the server, types included', () => {
  const features = featureGraph(files)
  expect(features.size).toBeGreaterThan(40)
  expect(circlesOf(features)).toEqual([])
})

test('what the server imports from elsewhere is among the sources from which prepare.mjs builds it', () => {
  const text = readFileSync(resolve(root, 'tools/prepare.mjs'), 'utf8')
  const [, list = ''] = /const SERVER = \{[^[]*sources: \[([^\]]*)\]/.exec(text) ?? []
  const sources = [...list.matchAll(/'([^']+)'/g)].map(([, path]) => `${path}/`)
  expect(sources).toContain('server/')
  const imported = [...files.values()].flat()
  expect(imported.some((file) => file.startsWith('tools/'))).toBe(true)
  expect(imported.filter((file) => !sources.some((path) => file.startsWith(path)))).toEqual([])
})

test('the access feature imports no other feature', () => {
  expect(featureGraph(files).get('features/access')).toEqual([])
})

test('SQL sent as text is a constant: a value is always a parameter', () => {
  const texts = [...files.keys()].filter(featureOf).flatMap((file) => {
    const calls = readFileSync(resolve(root, file), 'utf8').matchAll(/\.unsafe\(([^)]*)\)/g)
    return [...calls].map(([, text = '']) => ({ file, text }))
  })
  expect(texts.filter(({ text }) => !/^(part|[A-Z][A-Z_]*(\[\w+\])?)$/.test(text))).toEqual([])
})

/** The packages that a file loads with itself, by import or re-export. */
const packagesOf = (text: string): string[] =>
  [...text.matchAll(/^(?:import (?!type\b)[^'(]*|export (?!type\b)[^'(=;]*\bfrom )'(@[^'/]+\/[^'/]+|[^'.#/@]+)/gm)].map(
    ([, name = '']) => name,
  )

test('re-exports load a package too, types and constants do not', () => {
  const text = `import a from 'a'\nimport 'b'\nexport {\n  c,\n} from 'c'\nexport * from 'd/part'\nexport type { E } from 'e'\nexport const f = 'f'\nimport g from '@g/h/i'\n`
  expect(packagesOf(text)).toEqual(['a', 'b', 'c', 'd', '@g/h'])
})

test('what few requests need is loaded on first use', () => {
  const files = globSync('server/**/*.ts', { cwd: root }).filter(isProduct)
  const found = files.flatMap((file) =>
    packagesOf(readFileSync(resolve(root, file), 'utf8')).flatMap((name) =>
      LOADED_ON_USE.includes(name) ? [`${file}: ${name}`] : [],
    ),
  )
  expect(found).toEqual([])
})

test('no bundled package looks for files beside itself: in the bundle there are none', () => {
  const bundle = globSync('dist/server/*.js', { cwd: root })
  expect(bundle.length).toBeGreaterThan(3)
  const looking = bundle.filter((file) => /\b__(dirname|filename)\b/.test(readFileSync(resolve(root, file), 'utf8')))
  expect(looking).toEqual([])
})
