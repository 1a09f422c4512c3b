import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Identity } from './embedded-database.location.ts'
import { projectFile } from './project-files.ts'

/** Modules loaded on demand are beside these. */
const REQUIRED_FILES = [import.meta.url, projectFile('node_modules/fastify/package.json')].map((url) =>
  fileURLToPath(url),
)
const ADVICE = 'Start it as a user of its own: docs/operations.md has a unit file'

/**
 * Switches to the user of the embedded database if we were started as root; called when every port is open and every file that only root
 * may read is read. Its files stay root's: whoever takes over the process can't replace what the next start reads.
 * @returns the line to print; null if we are not root.
 */
export function dropRootPrivileges(runAs: Identity | undefined): string | null {
  if (process.getuid?.() !== 0) return null
  if (!runAs) return `Warning: Gatehouse runs as root. ${ADVICE}`
  const { uid, gid } = runAs
  if (!canRead(runAs)) return `Warning: Gatehouse runs as root, because user ${uid} can't read its programs. ${ADVICE}`
  process.setgroups?.([gid])
  process.setgid?.(gid)
  process.setuid?.(uid)
  return `Started as root, running as user ${uid} from here on`
}

function canRead({ uid, gid }: Identity): boolean {
  const look = 'for (const path of process.argv.slice(1)) require("node:fs").accessSync(path, 4)'
  return (
    spawnSync(process.execPath, ['-e', look, ...REQUIRED_FILES], { uid, gid, cwd: '/', stdio: 'ignore' }).status === 0
  )
}
