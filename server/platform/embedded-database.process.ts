import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  fstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ConfigurationError } from './config.ts'
import { changeOwner, type DatabaseLocation } from './embedded-database.location.ts'

export const USER = 'gatehouse'

/** PostgreSQL's default durability (fsync, synchronous_commit), sized for one portal on a small machine. */
const SERVER_SETTINGS = {
  // As with buffers of 64 MB: by default it shrinks with them, and an import would wait for the disk.
  wal_buffers: '2MB',
  max_connections: '150',
  max_wal_size: '512MB',
  // I/O worker processes cost memory for which a database of this size has no use.
  io_method: 'sync',
  max_worker_processes: '4',
  max_parallel_workers_per_gather: '1',
  autovacuum_worker_slots: '4',
  max_wal_senders: '0',
  max_replication_slots: '0',
  max_logical_replication_workers: '0',
  idle_in_transaction_session_timeout: '60s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Details of failed statements contain personal data; the application logs its own errors.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
}

const MB = 1024 * 1024

/** A quarter of the data: buffers stay in memory once touched, and a small portal eventually touches all of them. */
function sharedBuffers(data: string): string {
  const files = readdirSync(join(data, 'base'), { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  )
  const bytes = files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0)
  return `${Math.round(Math.min(Math.max(bytes / 4 / MB, 32), 128))}MB`
}

/** UTF-8 locales preferred; with plain C no text search would recognise a Chinese character. */
const LOCALES = ['C.UTF-8', 'C.utf8', 'en_US.UTF-8', 'UTF-8']

/** Creates the database cluster completely or not at all: it gets its name only once it is complete. */
export function createCluster(location: DatabaseLocation, password: string): void {
  const draft = `${location.data}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  changeOwner(draft, location.identity)
  const secret = join(draft, 'password')
  let reason = ''
  for (const locale of LOCALES) {
    writeFileSync(secret, `${password}\n`, { mode: 0o600 })
    changeOwner(secret, location.identity)
    const cluster = join(draft, 'cluster')
    const made = spawnSync(
      join(location.binaries, 'bin', 'initdb'),
      [
        '-D',
        cluster,
        '-U',
        USER,
        '-A',
        'scram-sha-256',
        `--pwfile=${secret}`,
        '-E',
        'UTF8',
        '--no-instructions',
      ].concat(['--locale-provider=builtin', '--builtin-locale=C.UTF-8', `--locale=${locale}`]),
      { ...location.identity, cwd: draft, encoding: 'utf8', env: { LC_ALL: locale, TZ: 'UTC' } },
    )
    if (made.status === 0) {
      renameSync(cluster, location.data)
      rmSync(draft, { recursive: true, force: true })
      return
    }
    reason = made.error?.message ?? made.stderr.trim().split('\n').at(-1) ?? ''
    rmSync(cluster, { recursive: true, force: true })
  }
  throw new ConfigurationError(`the embedded database could not be created in ${location.data}: ${reason}`)
}

/** Where to reach the server: a socket inside the data folder, or a loopback port if its path is too long. */
export type ServerAddress = { socketFolder: string } | { port: number }

const MAX_SOCKET_PATH_BYTES = 107

/** Socket names longer than 107 bytes can't be bound, so such a folder gets a free loopback port. */
export async function chooseAddress(location: DatabaseLocation): Promise<ServerAddress> {
  if (Buffer.byteLength(join(location.data, '.s.PGSQL.5432')) <= MAX_SOCKET_PATH_BYTES)
    return { socketFolder: location.data }
  const { createServer } = await import('node:net')
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  return { port: typeof address === 'object' && address ? address.port : 0 }
}

/** The address of the server that runs in this folder, read from its lock file. */
export function findRunningAddress(data: string): ServerAddress | null {
  const [pid, , , port, socketFolder] = readLines(pidFile(data))
  if (!pid) return null
  return socketFolder ? { socketFolder } : { port: Number(port) }
}

/**
 * Starts the server and waits until it accepts connections; recovery after a crash may take a while.
 * @param log file of the server's messages, also open for reading.
 * @throws ConfigurationError with the server's last messages if it exits instead.
 */
export async function startServer(
  location: DatabaseLocation,
  address: ServerAddress,
  log: number,
): Promise<ChildProcess> {
  const where =
    'port' in address
      ? { listen_addresses: '127.0.0.1', port: String(address.port), unix_socket_directories: '' }
      : {
          listen_addresses: '',
          port: '5432',
          unix_socket_directories: address.socketFolder,
          unix_socket_permissions: '0700',
        }
  const settings = { shared_buffers: sharedBuffers(location.data), ...SERVER_SETTINGS, ...where }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const from = fstatSync(log).size
  const server = spawn(join(location.binaries, 'bin', 'postgres'), ['-D', location.data, ...options], {
    ...location.identity,
    cwd: location.data,
    stdio: ['ignore', log, log],
    // Its own process group, so that Ctrl-C reaches only us: the database must outlive the requests in flight.
    detached: true,
    env: { TZ: 'UTC' },
  })
  const failure = new Promise<string>((done) => server.once('error', (error) => done(error.message)))
  while (!isReady(location.data, server.pid)) {
    const failed = await Promise.race([failure, pause(10, '')])
    if (failed !== '' || server.exitCode !== null || server.signalCode !== null) {
      throw new ConfigurationError(`the embedded database did not start: ${failed || findLastError(log, from)}`)
    }
  }
  return server
}

const pidFile = (data: string) => join(data, 'postmaster.pid')

function isReady(data: string, pid: number | undefined): boolean {
  const lines = readLines(pidFile(data))
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready'
}

const readLines = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [])

function findLastError(log: number, from: number): string {
  const bytes = Buffer.alloc(64 * 1024)
  const lines = bytes.toString('utf8', 0, readSync(log, bytes, 0, bytes.length, from)).split('\n')
  const telling = lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.findLast((line) => line !== '') ?? ''
  return telling.replace(/^.*?(FATAL|PANIC):\s*/, '')
}

/** Stops a server: its clients are disconnected, committed data is on disk, and the next start needs no recovery. */
export async function stopServer(server: ChildProcess): Promise<void> {
  const ended = () => server.exitCode !== null || server.signalCode !== null
  for (const [signal, seconds] of [
    ['SIGINT', 8],
    ['SIGQUIT', 2],
    ['SIGKILL', 2],
  ] as const) {
    if (ended()) return
    server.kill(signal)
    await Promise.race([new Promise((done) => server.once('exit', done)), pause(seconds * 1000)])
  }
}

/**
 * Stops what a killed start left behind and removes its lock files. PostgreSQL itself refuses to start while any process has the id in its
 * lock file; this checks whether that process really works in this folder.
 */
export async function removeStaleServer(location: DatabaseLocation): Promise<boolean> {
  if (!existsSync(pidFile(location.data))) return false
  const found = findProcesses(location)
  // Workers without their postmaster would take SIGINT for a cancelled query.
  const orderly = found.includes(Number(readLines(pidFile(location.data))[0]))
  const steps = [
    ['SIGINT', 8],
    ['SIGQUIT', 2],
    ['SIGKILL', 2],
  ] as const
  for (const [signal, seconds] of orderly ? steps : steps.slice(1)) {
    const deadline = performance.now() + seconds * 1000
    sendSignal(findProcesses(location), signal)
    while (findProcesses(location).length > 0 && performance.now() < deadline) await pause(20)
  }
  rmSync(pidFile(location.data), { force: true })
  for (const name of readdirSync(location.data)) {
    if (name.startsWith('.s.PGSQL.')) rmSync(join(location.data, name), { force: true })
  }
  return found.length > 0
}

function sendSignal(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      // A stopped process would ignore every signal but SIGKILL.
      process.kill(pid, 'SIGCONT')
      process.kill(pid, signal)
    } catch {
      // It has just ended.
    }
  }
}

/** The processes of this cluster: on Linux all that work in its folder, elsewhere the one named in the lock file. */
function findProcesses(location: DatabaseLocation): number[] {
  const folder = realpathSync(location.data)
  if (process.platform !== 'linux') {
    const pid = Number(readLines(pidFile(location.data))[0])
    const { stdout = '' } = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
    return stdout.includes(location.data) ? [pid] : []
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isServerProcess(pid, folder))
}

function isServerProcess(pid: number, folder: string): boolean {
  try {
    const program = readlinkSync(`/proc/${pid}/exe`)
    return readlinkSync(`/proc/${pid}/cwd`) === folder && dirname(program).endsWith('bin') && /postgres/.test(program)
  } catch {
    // Another user's process, or one that has ended.
    return false
  }
}
