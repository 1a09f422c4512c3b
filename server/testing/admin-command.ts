import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { TestServer } from './server.ts'

const ADMIN = fileURLToPath(new URL('../admin.ts', import.meta.url))

/** Runs `npm run admin -- <words>` as an operator would, against the database of a running server. */
export function runAdminCommand({ platform }: TestServer, ...words: string[]) {
  const { databaseUrl, secretKey } = platform.config
  const env = { ...process.env, DATABASE_URL: databaseUrl, SECRET_KEY: secretKey }
  const { status, stdout, stderr } = spawnSync(process.execPath, [ADMIN, ...words], { env, encoding: 'utf8' })
  return { status, stdout, stderr }
}
