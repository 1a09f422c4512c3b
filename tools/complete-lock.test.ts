import { describe, expect, test } from 'vitest'
import { LOCKS, missingOptionals, readLock, unverified } from './complete-lock.ts'

describe.each(LOCKS)('%s', (name) => {
  const lock = readLock(name)

  test('names the binaries of every platform, or npm ci refuses it (node tools/complete-lock.ts adds them)', () => {
    expect(missingOptionals(lock)).toEqual([])
  })

  test('says which packages it means: one version each, and no download address', () => {
    const all = Object.entries(lock.packages).filter(([path]) => path !== '')
    const entries = all.filter(([, { link }]) => !link)
    expect(entries.filter(([, { version }]) => !version)).toEqual([])
    expect(entries.filter(([, entry]) => entry['resolved'] !== undefined)).toEqual([])
    // Workspaces of this project.
    const folders = all.filter(([, { link }]) => link).map(([, entry]) => String(entry['resolved']))
    expect(folders.filter((folder) => !(folder in lock.packages))).toEqual([])
  })

  test('has a digest for every package that is installed', () => {
    expect(unverified(lock)).toEqual([])
  })
})

test('a package without a digest in the lock is found', () => {
  const without = { packages: { '': {}, 'node_modules/a': { version: '1.0.0' } } }
  expect(unverified(without)).toEqual(['node_modules/a'])
})
