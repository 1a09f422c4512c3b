/**
 * Completes package-lock.json: the binaries of other platforms that npm left out (`npm ci` refuses a lockfile without
 * them, on every platform), and the digest of each package, without which npm installs whatever it receives. Run it
 * after `npm install`:
 *   node tools/complete-lock.ts
 * With --check it changes nothing and fails if something is missing.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

type Entry = {
  name?: string
  version?: string
  integrity?: string
  link?: boolean
  dev?: boolean
  optionalDependencies?: Record<string, string>
} & Record<string, unknown>
export type Lock = { packages: Record<string, Entry> }

type Missing = { name: string; version: string; dev: boolean }

/** Whether Node would resolve `name` for the package at `path`: beside it or above it. */
function isLocked(lock: Lock, path: string, name: string): boolean {
  const parts = path.split('/node_modules/')
  const bases = parts.map((_, index) => parts.slice(0, parts.length - index).join('/node_modules/'))
  return [...bases.filter(Boolean).map((base) => `${base}/`), ''].some(
    (base) => `${base}node_modules/${name}` in lock.packages,
  )
}

export function missingOptionals(lock: Lock): Missing[] {
  return Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {}, dev = false }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !isLocked(lock, path, name))
      .map(([name, version]) => ({ name, version, dev })),
  )
}

const PLATFORM = /(android|darwin|linux|win32|freebsd|openharmony)-(arm64|x64|arm|ia32|ppc64|riscv64|s390x)(?:-(\w+))?$/

function entryOf({ name, version, dev }: Missing): Entry {
  const [, os, cpu, abi = ''] = PLATFORM.exec(name) ?? []
  if (!os || !cpu) throw new Error(`${name} is missing from package-lock.json, and its name tells no platform`)
  const libc = os === 'linux' ? { libc: [abi.includes('musl') ? 'musl' : 'glibc'] } : {}
  return { version, cpu: [cpu], ...(dev && { dev }), ...libc, optional: true, os: [os] }
}

/** The entries that npm would install unverified; workspaces need no verification. */
export const unverified = (lock: Lock): string[] =>
  Object.entries(lock.packages)
    .filter(([path, { integrity, link }]) => path.includes('node_modules/') && !integrity && !link)
    .map(([path]) => path)

/** The registry's digest of an entry; undefined if it lacks that version. */
function integrityOf(path: string, { name, version }: Entry): string | undefined {
  const id = `${name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`
  try {
    return execFileSync('npm', ['view', id, 'dist.integrity'], { encoding: 'utf8', stdio: 'pipe' }).trim() || undefined
  } catch {
    return undefined
  }
}

function complete(lock: Lock): void {
  for (const one of missingOptionals(lock)) lock.packages[`node_modules/${one.name}`] = entryOf(one)
  for (const path of unverified(lock)) {
    const entry = lock.packages[path]
    const integrity = entry && integrityOf(path, entry)
    if (integrity) Object.assign(entry, { integrity })
  }
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The product's, and that of the clients for `npm run interop`. */
export const LOCKS = ['package-lock.json', 'tools/interop/npm-clients/package-lock.json']

const lockFile = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url))
export const readLock = (name: string): Lock => JSON.parse(readFileSync(lockFile(name), 'utf8')) as Lock

if (import.meta.main) {
  for (const name of LOCKS) {
    const lock = readLock(name)
    if (!process.argv.includes('--check')) {
      complete(lock)
      writeFileSync(lockFile(name), `${JSON.stringify(lock, null, 2)}\n`)
    }
    const missing = [...missingOptionals(lock).map((one) => `node_modules/${one.name}`), ...unverified(lock)]
    if (missing.length > 0) {
      console.error(`${name} has no digest for:\n  ${missing.join('\n  ')}`)
      console.error('Run node tools/complete-lock.ts; choose versions that the registry has for every platform.')
      process.exitCode = 1
    }
  }
}
