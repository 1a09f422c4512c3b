/**
 * Names the binaries of other platforms in package-lock.json that npm left out because the registry in use did not have
 * them: `npm ci` refuses a lock without them, on every platform. Run it after `npm install`:
 *   node tools/complete-lock.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

type Entry = { version?: string; dev?: boolean; optionalDependencies?: Record<string, string> } & Record<
  string,
  unknown
>
export type Lock = { packages: Record<string, Entry> }

type Missing = { name: string; version: string; dev: boolean }

/** Where Node would find `name` for the package at `path`: beside it or above it. */
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

if (import.meta.main) {
  const file = fileURLToPath(new URL('../package-lock.json', import.meta.url))
  const lock = JSON.parse(readFileSync(file, 'utf8')) as Lock
  const added = missingOptionals(lock)
  for (const one of added) lock.packages[`node_modules/${one.name}`] = entryOf(one)
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(`${added.length} added`)
}
