import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from '@playwright/test'

const DIST = fileURLToPath(new URL('../dist/portal/', import.meta.url))
type Manifest = Record<string, { file: string; imports?: string[] }>
const manifest = JSON.parse(readFileSync(`${DIST}.vite/manifest.json`, 'utf8')) as Manifest

function withImports(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  for (const imported of manifest[name]?.imports ?? []) withImports(imported, found)
  return found
}

/** What a browser that has nothing yet loads before it shows these pages, as it comes over the wire. */
function kilobytesOf(...names: string[]): number {
  const files = new Set(names.flatMap((name) => [...withImports(name)]).map((name) => manifest[name]?.file ?? ''))
  const sizes = [...files].map((file) => {
    const compressed = `${DIST}${file}.br`
    return existsSync(compressed)
      ? readFileSync(compressed).length
      : brotliCompressSync(readFileSync(DIST + file)).length
  })
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}

test('pages load no more scripts than they need: whoever adds some says so here', () => {
  const portal = 'index.html'
  const manage = 'app/ManageLayout.tsx'
  expect(kilobytesOf(portal)).toBeLessThan(163)
  expect(kilobytesOf(portal, manage, 'features/sessions/CurrentLoginManagePage.tsx')).toBeLessThan(195)
  expect(kilobytesOf(portal, manage, 'app/RoleManageRoute.tsx')).toBeLessThan(217)
  expect(kilobytesOf(portal, manage, 'app/OrganizationPage.tsx')).toBeLessThan(232)
})
