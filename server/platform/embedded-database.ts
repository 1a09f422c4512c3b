import type { ChildProcess } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ConfigurationError } from './config.ts'
import { randomToken } from './crypto.ts'
import { openDatabase } from './db.ts'
import { type DatabaseLocation, dataFolderOf, type Identity, resolveLocation } from './embedded-database.location.ts'
import {
  chooseAddress,
  createCluster,
  findRunningAddress,
  removeStaleServer,
  type ServerAddress,
  startServer,
  stopServer,
  USER,
} from './embedded-database.process.ts'
import { acquireProcessLock } from './process-lock.ts'

export type EmbeddedDatabase = {
  url: string
  /** The cluster's folder: `<dataDir>/postgres`, or for root with an unreachable `dataDir` one below /var/lib/gatehouse. */
  dataFolder: string
  /** The user of its processes if we are root; undefined: our own. */
  runsAs: Identity | undefined
  /** The current process id of the server; changes when the server had to be restarted. */
  pid(): number | undefined
  /** Stops the server without loss; safe to call twice. */
  stop(): Promise<void>
}

type Options = {
  dataDir: string
  /** Called with a line about what takes time or uses an unexpected location. */
  printLine?: (line: string) => void
}

const DATABASE = 'gatehouse'
/** The server's messages are kept up to this size, plus one previous file. */
const MAX_LOG_BYTES = 5 * 1024 * 1024

/**
 * Starts the bundled PostgreSQL below `dataDir`, creating the database at the first start, and restarts the server if it dies. First clears
 * what a killed process left behind (a running server, stale locks).
 * @throws ConfigurationError if another living process uses the folder, or the server can't run here.
 */
export async function startEmbeddedDatabase(options: Options): Promise<EmbeddedDatabase> {
  const printLine = options.printLine ?? (() => {})
  const dataDir = ensurePrivateFolder(options.dataDir)
  const release = await acquireProcessLock(lockName(dataDir))
  if (!release) throw new ConfigurationError(`another Gatehouse is already running on the data folder ${dataDir}`)
  try {
    const location = resolveLocation(dataDir, printLine)
    const password = loadOrCreateSecret(join(dataDir, PASSWORD_FILE))
    const isNew = !existsSync(join(location.data, 'PG_VERSION'))
    if (isNew) createCluster(location, password)
    else requireSameVersion(location)
    if (await removeStaleServer(location))
      printLine('The database of an earlier start was still running: it was ended in good order')
    const logFile = join(dataDir, 'database.log')
    rotateLog(logFile)
    // Kept open: by the time of a restart we may have lost the privilege to open it.
    const log = openSync(logFile, 'a+', 0o600)
    const address = await chooseAddress(location)
    const supervisor = await superviseServer(() => startServer(location, address, log), location)
    const url = urlOf(address, password)
    let stopped = false
    await ensureDatabase(url, isNew)
    return {
      url: `${url}/${DATABASE}`,
      dataFolder: location.data,
      runsAs: location.identity,
      pid: supervisor.pid,
      async stop() {
        await supervisor.stop()
        if (!stopped) closeSync(log)
        stopped = true
        await release()
      },
    }
  } catch (error) {
    await release()
    throw error
  }
}

/** The URL of an embedded database run by another process on this machine, or null. */
export async function findRunningDatabaseUrl(dataDir: string): Promise<string | null> {
  if (!existsSync(join(dataDir, PASSWORD_FILE))) return null
  const folder = realpathSync(dataDir)
  const release = await acquireProcessLock(lockName(folder))
  if (release) {
    await release()
    return null
  }
  const address = findRunningAddress(dataFolderOf(folder))
  return address && `${urlOf(address, loadOrCreateSecret(join(folder, PASSWORD_FILE)))}/${DATABASE}`
}

const PASSWORD_FILE = 'database-password'
const lockName = (dataDir: string) => `embedded database ${dataDir}`

function ensurePrivateFolder(path: string): string {
  // Others may traverse it, since root's database runs as another user, but not list it: every file in it is private. Recursive only if
  // needed: below /proc Node's recursive mkdir never returns.
  if (!existsSync(path)) mkdirSync(path, { recursive: !existsSync(dirname(path)), mode: 0o711 })
  return realpathSync(path)
}

/** Reads a generated secret, created at the first call; complete or absent, whenever the process is killed. */
export function loadOrCreateSecret(file: string): string {
  if (!existsSync(file)) {
    writeFileSync(`${file}.new`, `${randomToken(43)}\n`, { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  return readFileSync(file, 'utf8').trim()
}

function requireSameVersion(location: DatabaseLocation): void {
  const written = readFileSync(join(location.data, 'PG_VERSION'), 'utf8').trim()
  const share = readFileSync(join(location.binaries, 'share', 'postgresql', 'postgres.bki'), 'utf8').slice(0, 40)
  const bundled = /PostgreSQL (\d+)/.exec(share)?.[1] ?? written
  if (written === bundled) return
  throw new ConfigurationError(
    `the database in ${location.data} was made by PostgreSQL ${written}, the bundled one is ${bundled}: dump it with the old version first`,
  )
}

function rotateLog(log: string): void {
  if (existsSync(log) && statSync(log).size > MAX_LOG_BYTES) renameSync(log, `${log}.old`)
}

type Supervisor = { pid(): number | undefined; stop(): Promise<void> }

async function superviseServer(start: () => Promise<ChildProcess>, location: DatabaseLocation): Promise<Supervisor> {
  let stopping = false
  let server = await start()
  let restarting = Promise.resolve()
  const restart = async () => {
    for (let wait = 100; !stopping; wait = Math.min(wait * 2, 2000)) {
      await pause(wait)
      if (stopping) return
      await removeStaleServer(location)
      const next = await start().catch(() => null)
      if (!next) continue
      server = next
      watch()
      return
    }
  }
  const watch = () =>
    server.once('exit', () => {
      if (!stopping) restarting = restart()
    })
  watch()
  // However this process ends, short of SIGKILL, the server is told to shut down properly.
  const stopOnExit = () => server.kill('SIGINT')
  process.on('exit', stopOnExit)
  return {
    pid: () => server.pid,
    async stop() {
      stopping = true
      await restarting
      await stopServer(server)
      process.off('exit', stopOnExit)
    },
  }
}

function urlOf(address: ServerAddress, password: string): string {
  const host = 'port' in address ? `127.0.0.1:${address.port}` : `${encodeURIComponent(address.socketFolder)}:5432`
  return `postgres://${USER}:${password}@${host}`
}

async function ensureDatabase(url: string, isNew: boolean): Promise<void> {
  const admin = openDatabase(`${url}/postgres`, { max: 1 })
  try {
    // Later starts check too, because the first may have been killed between these two steps.
    const known = isNew ? [] : await admin`select 1 from pg_database where datname = ${DATABASE}`
    if (known.length === 0) await admin.unsafe(`create database ${DATABASE}`)
  } finally {
    await admin.end()
  }
}

/** Removes a stopped embedded database with everything in it; for tests. */
export function removeEmbeddedDatabase(database: EmbeddedDatabase, dataDir: string): void {
  const elsewhere = !database.dataFolder.startsWith(realpathSync(dataDir))
  rmSync(elsewhere ? dirname(database.dataFolder) : database.dataFolder, { recursive: true, force: true })
  rmSync(dataDir, { recursive: true, force: true })
}
