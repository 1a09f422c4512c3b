import { randomInt } from 'node:crypto'
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Platform } from '../../platform/platform.ts'
import { findUnchangedPasswords } from './demo.store.ts'

/** People who can log in to the demo school with a password. */
export type DemoAccount = { account: string; name: string; role: 'superUser' | 'teacher' | 'student'; password: string }

const PEOPLE = [
  { account: 'admin', name: '林知远', role: 'superUser' },
  { account: 'hanmeimei', name: '韩梅梅', role: 'teacher' },
  { account: 'lilei', name: '李雷', role: 'student' },
] as const

const Stored = z.strictObject({
  loadedAt: z.iso.datetime(),
  accounts: z.array(
    z.strictObject({
      account: z.string(),
      name: z.string(),
      role: z.enum(['superUser', 'teacher', 'student']),
      password: z.string(),
    }),
  ),
})

/** No easily confused letters, and no vowels, so that no words appear. */
const LETTERS = 'bcdfghjkmnpqrstvwxz'
const DIGITS = '23456789'

/** Such as `kdmt-4827-vbqr-9327-W`: about 60 bits, easy to type from a terminal. */
function readablePassword(): string {
  const some = (from: string, count: number) =>
    Array.from({ length: count }, () => from[randomInt(from.length)]).join('')
  return [some(LETTERS, 4), some(DIGITS, 4), some(LETTERS, 4), some(DIGITS, 4), some(LETTERS, 1).toUpperCase()].join(
    '-',
  )
}

/** New passwords for the demo accounts of this installation. */
export const newDemoAccounts = (): DemoAccount[] =>
  PEOPLE.map((person) => ({ ...person, password: readablePassword() }))

const accountsFile = (platform: Platform) => join(platform.config.dataDir, 'demo-accounts.json')

/** Stores the passwords for the next start, readable only by the owner of the process. */
export async function saveDemoAccounts(
  platform: Platform,
  accounts: readonly DemoAccount[],
  loadedAt: Date,
): Promise<void> {
  const path = accountsFile(platform)
  const draft = `${path}.${process.pid}`
  await mkdir(platform.config.dataDir, { recursive: true })
  await writeFile(draft, JSON.stringify({ loadedAt, accounts }, null, 2), { mode: 0o600 })
  // The mode above applies only to a new file.
  await chmod(draft, 0o600)
  await rename(draft, path)
}

/** The demo accounts that still have the generated password; none if this installation loaded no demo school. */
export async function demoAccounts(platform: Platform): Promise<DemoAccount[]> {
  const text = await readFile(accountsFile(platform), 'utf8').catch(() => null)
  const stored = text === null ? null : Stored.safeParse(JSON.parse(text)).data
  if (!stored) return []
  const names = stored.accounts.map(({ account }) => account)
  const untouched = new Set(
    (await findUnchangedPasswords(platform.sql, names, new Date(stored.loadedAt))).map(({ account }) => account),
  )
  return stored.accounts.filter(({ account }) => untouched.has(account))
}
