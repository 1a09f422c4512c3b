import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const LOCALE = /[\\/]locales[\\/]\w+\.json\?(own|office|integrations|rest)$/
const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'/g
/** The back office's route table names its pages for menus everywhere, and loads back-office code only. */
const OFFICE = join(ROOT, 'web/app/manage-routes.ts')
/** Pages that connect other systems: many texts that few administrators ever see. */
const INTEGRATIONS = [
  'web/app/CorporateMailboxRoute.tsx',
  'web/app/DataSourcesRoute.tsx',
  'web/app/LogStreamsRoute.tsx',
  'web/app/MessageRoutesRoute.tsx',
  'web/app/ScimClientsRoute.tsx',
  'web/app/VendorRoutes.tsx',
  'web/features/directory-syncs/OrgSyncPages.tsx',
  'web/features/records/MessageLogPage.tsx',
].map((file) => join(ROOT, file))

type Area = 'own' | 'office' | 'integrations' | 'rest'

/** Our own modules that this one imports, statically or dynamically. */
function importsOf(file: string): string[] {
  const names = [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, name = '']) => name)
  return names
    .filter((name) => /^[#.].*\.tsx?$/.test(name))
    .map((name) => (name.startsWith('#') ? join(ROOT, name.slice(1)) : resolve(dirname(file), name)))
    .filter((target) => existsSync(target))
}

/** Our own modules reachable from the entries; `borders` are included, but not followed. */
function modulesFrom(entries: readonly string[], borders: readonly string[] = []): Set<string> {
  const found = new Set(entries)
  for (const file of found) {
    if (borders.includes(file)) continue
    for (const target of importsOf(file)) found.add(target)
  }
  return found
}

/** The `keys` that these modules may use: by full name, prefix, suffix, or both. */
export function mentionedKeys(sources: Iterable<string>, keys: readonly string[]): Set<string> {
  const words = new Set<string>()
  const heads = new Set<string>()
  const tails = new Set<string>()
  for (const source of sources) {
    for (const [, word = ''] of source.matchAll(/['"`]([a-zA-Z][\w.-]*)['"`]/g)) words.add(word)
    for (const [, head = ''] of source.matchAll(/['"`]([a-zA-Z][\w.-]*\.)(?:\$\{|['"])/g)) heads.add(head)
    for (const [, tail = ''] of source.matchAll(/`\$\{[^`}]*\}(\.[\w.-]+)`/g)) tails.add(tail)
    for (const [, head = ''] of source.matchAll(/`([a-zA-Z][\w-]*\.[\w.-]*)\$\{/g)) heads.add(head)
  }
  const isMentioned = (key: string): boolean => {
    const plain = key.replace(/_(zero|one|two|few|many|other)$/, '')
    if (words.has(plain)) return true
    if ([...heads].some((head) => plain.startsWith(head))) return true
    return [...tails].some((tail) => plain.endsWith(tail) && words.has(plain.slice(0, -tail.length)))
  }
  return new Set(keys.filter(isMentioned))
}

/** The area of each message: the first one that needs it. */
export function messageAreas(keys: readonly string[]): Map<string, Area> {
  const textsOf = (modules: Set<string>) => [...modules].map((file) => readFileSync(file, 'utf8'))
  const own = mentionedKeys(textsOf(modulesFrom([join(ROOT, 'web/start.tsx')], [OFFICE])), keys)
  const office = mentionedKeys(textsOf(modulesFrom([OFFICE], INTEGRATIONS)), keys)
  const integrations = mentionedKeys(textsOf(modulesFrom(INTEGRATIONS)), keys)
  const areaOf = (key: string): Area => {
    if (own.has(key)) return 'own'
    if (office.has(key)) return 'office'
    return integrations.has(key) ? 'integrations' : 'rest'
  }
  return new Map(keys.map((key) => [key, areaOf(key)]))
}

/** A back-office page requests one file: that of the back office includes people's own messages. */
const isPart = (area: string, home: Area | undefined): boolean => home === area || (area === 'office' && home === 'own')

/**
 * `locales/en.json?own`, `?office`, `?integrations`, `?rest`: the messages of people's own pages, those plus the back
 * office's, the further ones of pages that connect other systems, and those that only servers use or whose page is
 * unknown. A missing message makes the page load the rest.
 */
export function messageAreasPlugin(): Plugin {
  let areas: Map<string, Area> | undefined
  return {
    name: 'message-areas',
    enforce: 'pre',
    load(id) {
      const area = LOCALE.exec(id)?.[1]
      if (!area) return null
      const messages = JSON.parse(readFileSync(id.replace(/\?.*/, ''), 'utf8')) as Record<string, string>
      areas ??= messageAreas(Object.keys(messages))
      const some = Object.fromEntries(Object.entries(messages).filter(([key]) => isPart(area, areas?.get(key))))
      // Parsing JSON is cheaper for a browser than parsing the same as code.
      return { code: `export const messages = JSON.parse(${JSON.stringify(JSON.stringify(some))})`, moduleType: 'js' }
    },
  }
}
