import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { isShapes } from './browser-contract.ts'

type ModuleGraph = { getModuleInfo(id: string): { importedIds: readonly string[] } | null }

const path = (name: string) => fileURLToPath(new URL(`../web/${name}`, import.meta.url))

/**
 * The chunks that pages share, first come first served: each holds what these need before they can be shown and what is in none
 * before it, nor in the core. What is left is a page's own, or shared by few.
 */
const CHUNKS = {
  // They are computed as they load, from each other: in chunks that import each other a part of them would not be there yet.
  designs: ['../shared/rules/shipped-themes.ts'],
  office: ['app/ManageLayout.tsx', 'features/sessions/CurrentLoginManagePage.tsx'],
  // A few lines that many pages share: merged with what is left, each of them would bring some large page's parts.
  organization: [
    'app/OrganizationPage.tsx',
    'ui/TextAreaField.tsx',
    'ui/SecretField.tsx',
    'features/roles/role-queries.ts',
  ],
  account: ['app/SetAccount.tsx'],
  // Loaded before a menu or a select opens: merged into a shared chunk, every page would wait for it.
  lists: ['ui/MenuList.tsx', 'ui/SelectList.tsx'],
}

/** What parses something comes with the back office, zod with it: a person's own pages parse nothing. */
const PARSING: readonly string[] = ['office', 'organization']

/** What is left and smaller than this, in bytes of source, goes with what the most similar pages share. */
const MERGED_BELOW = 15_000

/** The modules that come with these, without those that are loaded later. */
function modulesOf(roots: string[], graph: ModuleGraph, isLeft = (_id: string) => false): Set<string> {
  const found = new Set(roots)
  for (const id of found)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) if (!isLeft(imported)) found.add(imported)
  return found
}

/** Few chunks, because on a slow network a small file takes as long as a large one. */
export function pageChunks() {
  const groups = [
    { name: 'entry', isIn: isInEntry() },
    { name: 'core', isIn: isAmongThese(coreModules) },
    ...Object.entries(CHUNKS).map(([name, pages]) => ({
      name,
      isIn: isAmong(pages, PARSING.includes(name) ? undefined : isShapes),
    })),
  ]
  return [
    ...groups.map(({ name, isIn }, at) => ({
      debugName: name,
      name: (id: string, graph: ModuleGraph): string | null => (isIn(id, graph) ? name : null),
      priority: 100 - at,
      // The sets are whole, but for what makes shapes; that is left to who uses it.
      includeDependenciesRecursively: false,
    })),
    { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: MERGED_BELOW },
  ]
}

type IsIn = (id: string, graph: ModuleGraph) => boolean

const isAmong = (roots: string[], isLeft?: (id: string) => boolean): IsIn =>
  isAmongThese((graph) => modulesOf(roots.map(path), graph, isLeft))

function isAmongThese(find: (graph: ModuleGraph) => Set<string>): IsIn {
  let modules: Set<string> | undefined
  return (id, graph) => {
    modules ??= find(graph)
    return modules.has(id)
  }
}

/** What every page needs; and the few lines that a person's own pages share with the back office, which they would load for these. */
function coreModules(graph: ModuleGraph): Set<string> {
  const of = (pages: string[]) => modulesOf(pages.map(path), graph, isShapes)
  const office = of([...CHUNKS.office, ...CHUNKS.organization])
  const shared = [...of(CHUNKS.account)].filter((id) => office.has(id))
  return modulesOf([path('start.tsx'), ...shared], graph, isShapes)
}

/** With the few lines of the bundler's own that all chunks need: alone they would be a request more. */
function isInEntry(): IsIn {
  const isIn = isAmong(['main.ts', 'index.html'])
  return (id, graph) => id.includes('rolldown/runtime') || isIn(id, graph)
}

const NAMED_LOADER = /const (\w+) = \(\) => load(?:Chunk|Integration)\(\(\) => import\('(\.[^']+)'\)\)/g
/** The files of the route tables. */
const TABLES = globSync('app/*routes.{ts,tsx}', { cwd: path('') })

/** The address of each page below /auth_web, with the modules that its route loads. */
export function pageModules(): Record<string, string[]> {
  const texts = TABLES.map((table) => readFileSync(path(table), 'utf8'))
  const routes = texts.flatMap((text) => text.split('createRoute(').slice(1))
  // Loaders shared by several routes are named.
  const named = new Map(texts.flatMap((text) => [...text.matchAll(NAMED_LOADER)].map(([, name, at]) => [name, at])))
  return Object.fromEntries(
    routes.flatMap((route) => {
      const [, address] = /\bpath: '([^']+)'/.exec(route) ?? []
      const [, loader = ''] = /lazyRouteComponent\((\w+),/.exec(route) ?? []
      const module = named.get(loader) ?? /import\('(\.[^']+)'\)/.exec(route)?.[1]
      if (!address || !module) return []
      const file = module.startsWith('./') ? `app/${module.slice(2)}` : module.slice(3)
      if (!route.includes('getParentRoute: () => manage')) return [[address, [file]]]
      return [[`/manage${address}`, ['app/ManageLayout.tsx', file]]]
    }),
  )
}

/** The files below /auth_web that a browser needs to show something. */
export type PageFiles = { scripts: string[]; styles: string[] }
/** Of the application, of each page by address, and of the messages by `en own`. */
export type PortalFiles = { start: PageFiles; pages: Record<string, PageFiles>; messages: Record<string, PageFiles> }

/** `.vite/pages.json`: the files that the server lists in a page's head, so that a browser requests them at once. */
export const pageFilesPlugin = (): Plugin => ({
  name: 'page-files',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
    const filesOf = (modules: string[]): PageFiles => {
      const own = chunks.filter(({ moduleIds }) => modules.some((name) => moduleIds.includes(name)))
      const scripts = new Set(own.map(({ fileName }) => fileName))
      for (const name of scripts)
        for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) scripts.add(imported)
      const styles = chunks
        .filter(({ fileName }) => scripts.has(fileName))
        .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
      return { scripts: [...scripts], styles: [...new Set(styles)] }
    }
    const locales = chunks.flatMap(({ moduleIds }) => moduleIds).filter((id) => /\.json\?/.test(id))
    const files: PortalFiles = {
      start: filesOf([path('start.tsx')]),
      pages: Object.fromEntries(
        Object.entries(pageModules()).map(([address, modules]) => [address, filesOf(modules.map(path))]),
      ),
      messages: Object.fromEntries(
        locales.map((id) => [id.replace(/.*[\\/](\w+)\.json\?(\w+)$/, '$1 $2'), filesOf([id])]),
      ),
    }
    this.emitFile({ type: 'asset', fileName: '.vite/pages.json', source: JSON.stringify(files) })
  },
})
