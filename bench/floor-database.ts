import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../server/platform/db.ts'
import { startEmbeddedDatabase } from '../server/platform/embedded-database.ts'

/** An embedded database for a bare server, through the product's driver; deleted with `stop`. */
export async function startFloorDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-floor-'))
  chmodSync(folder, 0o711)
  const database = await startEmbeddedDatabase({ dataDir: folder })
  const sql = openDatabase(database.url)
  const stop = async () => {
    await sql.end()
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { sql, stop }
}
