import { inject, onTestFinished } from 'vitest'
import { randomToken } from '../platform/crypto.ts'
import { openDatabase } from '../platform/db.ts'

/** A database for this test without any table. */
export async function emptyDatabase(options = ''): Promise<string> {
  const admin = openDatabase(inject('adminUrl'), { max: 1 })
  const name = `gatehouse_test_${randomToken(12).toLowerCase()}`
  await admin.unsafe(`create database ${name} ${options}`)
  onTestFinished(async () => {
    await admin.unsafe(`drop database if exists ${name} with (force)`)
    await admin.end()
  })
  const url = new URL(inject('adminUrl'))
  url.pathname = `/${name}`
  return url.href
}

export function connect(url: string) {
  const sql = openDatabase(url, { max: 2 })
  onTestFinished(() => sql.end({ timeout: 1 }))
  return sql
}
