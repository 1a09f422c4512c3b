import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { removeEmbeddedDatabase, startEmbeddedDatabase } from '../platform/embedded-database.ts'

/** An empty data folder for one test, which root's database user can also reach; removed after the test. */
export function testDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  chmodSync(folder, 0o711)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A database server for one test, which can be stopped, frozen and killed; in any case gone afterwards. */
export async function testDatabaseServer(dataDir = testDataDir(), say: (line: string) => void = () => {}) {
  const database = await startEmbeddedDatabase({ dataDir, printLine: say })
  onTestFinished(async () => {
    const pid = database.pid()
    if (pid) signal(pid, 'SIGCONT')
    await database.stop()
    removeEmbeddedDatabase(database, dataDir)
  })
  return { ...database, dataDir }
}

/** Sends a signal to a process that may have ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended, which is what most callers want.
  }
}
