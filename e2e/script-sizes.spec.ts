import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from '@playwright/test'

const DIST = fileURLToPath(new URL('../dist/portal/', import.meta.url))
type Files = { scripts: string[] }
type Built = { start: Files; pages: Record<string, Files> }
const built = JSON.parse(readFileSync(`${DIST}.vite/pages.json`, 'utf8')) as Built

/** Kilobytes that an empty browser loads before it shows these pages. */
function kilobytesOf(address?: string): number {
  const page = address === undefined ? [] : built.pages[address]?.scripts
  if (!page) throw new Error(`the build knows no page ${address}`)
  const files = new Set([...built.start.scripts, ...page])
  const sizes = [...files].map((file) => {
    const compressed = `${DIST}${file}.br`
    return existsSync(compressed)
      ? readFileSync(compressed).length
      : brotliCompressSync(readFileSync(DIST + file)).length
  })
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}

test('pages load no more scripts than they need: whoever adds some says so here', () => {
  expect(kilobytesOf()).toBeLessThan(139)
  expect(kilobytesOf('/account-security/set-account')).toBeLessThan(148)
  expect(kilobytesOf('/manage/current-login-manage')).toBeLessThan(182)
  expect(kilobytesOf('/manage/role-manage')).toBeLessThan(215)
  expect(kilobytesOf('/manage/organization')).toBeLessThan(206)
})
