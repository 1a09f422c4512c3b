import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Lock, missingOptionals } from './complete-lock.ts'

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as Lock

test('the lock names the binaries of every platform, or npm ci refuses it (node tools/complete-lock.ts adds them)', () => {
  expect(missingOptionals(lock)).toEqual([])
})

test('the lock says which packages it means: one version each, and no download address', () => {
  const entries = Object.entries(lock.packages).filter(([path]) => path !== '')
  expect(entries.filter(([, { version }]) => !version)).toEqual([])
  expect(entries.filter(([, entry]) => entry['resolved'] !== undefined)).toEqual([])
})
