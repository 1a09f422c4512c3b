import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbeddedDatabase } from '../server/platform/embedded-database.ts'
import { requireChromium } from './chromium.ts'

const BUILT = ['dist/portal/index.html', 'dist/login/.vite/manifest.json', 'dist/login-server/render.js']

/**
 * One database server for all journeys: the one that DATABASE_URL names, else an embedded one.
 * @throws Error when there is no browser, or the browser's part was not built: the journeys would only show that.
 */
export default async function setup(): Promise<() => Promise<void>> {
  requireChromium()
  const missing = BUILT.filter((file) => !existsSync(fileURLToPath(new URL(`../${file}`, import.meta.url))))
  if (missing.length > 0) throw new Error(`Not built yet: ${missing.join(', ')}. Run "npm run build" first.`)
  if (process.env['DATABASE_URL']) return async () => {}
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-e2e-'))
  // As root the database runs as another user, who must be able to reach it.
  chmodSync(dataDir, 0o711)
  const database = await startEmbeddedDatabase({ dataDir })
  process.env['DATABASE_URL'] = database.url
  return async () => {
    await database.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
