import type { Socket } from 'node:net'
import type { Sql as Database } from 'postgres'
import { flushedBytes } from './flushed-bytes.ts'

/** A connection of the pool, or the listening one, as tools/patch-postgres.mjs exposes it. */
type Connection = {
  socket: Socket | null
  /** Its unique `application_name`; new with each socket. */
  name: string
  isIdle: boolean
  /** Has sent a statement whose answer has not arrived completely. */
  isWaiting: boolean
  end(): Promise<unknown>
}

export type PatchedDatabase = Database & { connections(): Connection[]; listener(): PatchedDatabase | undefined }

export type ReplaceReason = 'dead' | 'statement-timeout' | 'read-only'

type Options = {
  /** Opens a pool of one connection, for asking the server about the others. */
  openProbe(): PatchedDatabase
  /** A statement that returns nothing for this long is cancelled; absent: no limit. */
  maxStatementMs?: number | undefined
  onReplaced?: ((count: number, because: ReplaceReason) => void) | undefined
  /** Called with the SQLSTATE when the server starts to refuse writes, with null when it accepts them again. */
  onWritesRefused?: ((refused: string | null) => void) | undefined
}

export type ConnectionGuard = {
  /** To be called with every error that the server sends. */
  reportError(code: string): void
  /** True from the first write that failed for the server's own reasons until a trial write succeeds. */
  isRefusingWrites(): boolean
  stop(): Promise<void>
}

const TICK_MS = 250
/** After this long without a byte, the server is asked about a statement. */
const SILENCE_MS = 500
/** The longest wait for the server's answer about the connections; an attempt to connect has its own limit. */
const PROBE_TIMEOUT_MS = 1000
const HEARTBEAT_MS = 2000
const WRITE_PROBE_MS = 1000

/** Disk full, I/O error, or this is a standby by now. */
const WRITE_REFUSED = /^(53100|58030|25006)$/

type Activity = { name: string; bytes: number; lastHeardAt: number; silentSince: number; deadVerdicts: number }

/**
 * Finds connections that died silently (a firewall that lost its state, a failover without a reset) and replaces them. TCP would take a
 * quarter of an hour, and a timeout can't tell a dead connection from a long statement. So the server is asked over another connection:
 * when it says twice that it is not working for a connection, or does not know it, while we wait for the answer and receive nothing, then
 * the statement or its answer was lost. The server is told to terminate those sessions, so that their locks are released. The listening
 * connection gets a query of its own every two seconds, because otherwise it would never be waiting.
 */
export function guardConnections(sql: PatchedDatabase, options: Options): ConnectionGuard {
  const { look: observe, silenceMs } = trackSilence()
  const { ask, close } = createProbe(PROBE_TIMEOUT_MS, options.openProbe)
  let lastTickAt = performance.now()
  let lastCheckAt = 0
  let checking = false
  const sendHeartbeat = heartbeat(sql)
  const writes = watchWrites(sql, options, () => replace(sql.connections().filter(isIdle), 'read-only'))

  const replace = (connections: Connection[], because: ReplaceReason) => {
    if (connections.length === 0) return
    const names = connections.map(({ name }) => name)
    for (const connection of connections) {
      // An idle one must leave the pool's queue at once, not when its socket has closed.
      if (connection.isIdle) void connection.end()
      connection.socket?.destroy()
    }
    options.onReplaced?.(connections.length, because)
    void ask((db) => terminateSessions(db, names))
  }

  const findDead = async (suspects: Connection[]) => {
    const names = suspects.map(({ name }) => name)
    const working = await ask((db) => findBusyConnections(db, names))
    if (!working) return
    const now = performance.now()
    const dead = suspects.filter((connection, index) => {
      if (silenceMs(connection, now) < SILENCE_MS || working.has(names[index] ?? '')) return false
      const seen = observe(connection, now)
      seen.deadVerdicts += 1
      return seen.deadVerdicts > 1
    })
    if (dead.length === 0) return
    // Idle ones without recent traffic have most likely died the same way, and closing them loses nothing.
    const idle = sql.connections().filter((one) => isIdle(one) && now - observe(one, now).lastHeardAt > SILENCE_MS)
    replace([...dead, ...idle], 'dead')
  }

  const tick = () => {
    const now = performance.now()
    // After our own process was blocked, answers may be queued behind this tick.
    const onTime = now - lastTickAt < 3 * TICK_MS
    lastTickAt = now
    sendHeartbeat(now)
    writes.probeAgain(now)
    const { maxStatementMs = Number.POSITIVE_INFINITY } = options
    const silent = sql.connections().filter((connection) => silenceMs(connection, now) >= SILENCE_MS)
    if (!onTime || silent.length === 0) return
    replace(
      silent.filter((connection) => silenceMs(connection, now) > maxStatementMs),
      'statement-timeout',
    )
    if (checking || now - lastCheckAt < SILENCE_MS) return
    checking = true
    lastCheckAt = now
    void findDead(silent).finally(() => {
      checking = false
    })
  }
  const timer = setInterval(tick, TICK_MS).unref()
  return {
    reportError: writes.note,
    isRefusingWrites: writes.fail,
    async stop() {
      clearInterval(timer)
      await close()
    },
  }
}

/**
 * For a large statement on a slow line: that the system accepts more of it shows that the server reads. What fits into the system's buffer
 * at once shows nothing, because a dead connection accepts that too.
 */
const flushedBacklogBytes = (socket: Socket): number => (socket.writableLength > 0 ? flushedBytes(socket) : 0)

/** How long each connection has waited without a byte; must be called at least at every tick. */
function trackSilence() {
  const watched = new WeakMap<Connection, Activity>()
  const observe = (connection: Connection, now: number): Activity => {
    const { name, socket, isWaiting } = connection
    const bytes = socket ? socket.bytesRead + flushedBacklogBytes(socket) : 0
    const known = watched.get(connection)
    const heard = !known || !socket || known.name !== name || known.bytes !== bytes
    const goesOn = isWaiting && !heard
    const seen = {
      name,
      bytes,
      lastHeardAt: heard ? now : known.lastHeardAt,
      silentSince: goesOn ? known.silentSince : now,
      deadVerdicts: goesOn ? known.deadVerdicts : 0,
    }
    watched.set(connection, seen)
    return seen
  }
  return {
    look: observe,
    silenceMs: (connection: Connection, now: number) => now - observe(connection, now).silentSince,
  }
}

/** Gives the listening connection something to answer every two seconds. */
function heartbeat(sql: PatchedDatabase): (now: number) => void {
  let lastBeatAt = 0
  return (now) => {
    const listener = sql.listener()
    if (!listener || now - lastBeatAt < HEARTBEAT_MS || listener.connections().some(({ isWaiting }) => isWaiting))
      return
    lastBeatAt = now
    listener`select 1`.catch(() => {})
  }
}

const isIdle = ({ isIdle }: Connection): boolean => isIdle

/** Queries through a separate pool, whose connection is dropped when an answer does not arrive in time. */
function createProbe(ms: number, open: () => PatchedDatabase) {
  let second: PatchedDatabase | undefined
  return {
    /** @returns null if the server can't be asked */
    async ask<T>(question: (db: Database) => Promise<T>): Promise<T | null> {
      second ??= open()
      const db = second
      const late = setTimeout(() => db.connections().forEach(destroyIfConnected), ms)
      return await question(db)
        .catch(() => null)
        .finally(() => clearTimeout(late))
    },
    close: async () => await second?.end({ timeout: 1 }),
  }
}

const destroyIfConnected = ({ socket }: Connection): void => {
  if (socket && !socket.connecting) socket.destroy()
}

/** Detects a server that can't write, and then tries once a second whether it can again. */
function watchWrites(sql: Database, { onWritesRefused }: Options, replaceIdle: () => void) {
  let refused: string | null = null
  let lastProbeAt = 0
  let probing = false
  const note = (code: string) => {
    if (!WRITE_REFUSED.test(code)) return
    if (refused === null) onWritesRefused?.(code)
    refused = code
    // A session on a standby stays read-only; a new one may reach its successor.
    if (code === '25006') setImmediate(replaceIdle)
  }
  return {
    note,
    fail: () => refused !== null,
    probeAgain(now: number) {
      if (refused === null || probing || now - lastProbeAt < WRITE_PROBE_MS) return
      probing = true
      lastProbeAt = now
      probeWrite(sql)
        .then(() => {
          refused = null
          onWritesRefused?.(null)
        })
        // This trial's session was in its transaction when the refusal was noticed, so it was left alone then.
        .catch(() => refused === '25006' && setImmediate(replaceIdle))
        .finally(() => {
          probing = false
        })
    },
  }
}

/**
 * Needs room for some ten new blocks of a table, and is rolled back. A temporary table could be on another disk, and not every role may
 * create one.
 */
async function probeWrite(sql: Database): Promise<void> {
  const done = new Error('rolled back')
  const trial = sql.begin(async (tx) => {
    await tx`create table gatehouse_trial as select random()::text as filling from generate_series(1, 2000)`
    throw done
  })
  await trial.catch((error: unknown) => {
    if (error !== done) throw error
  })
}

const isNamed = (db: Database, names: string[]) =>
  db`application_name = any(string_to_array(${names.join('\n')}, e'\n'))`

/**
 * The connections whose sessions are busy, or about which nothing is known.
 * @throws Error if the server does not show our names: then their absence means nothing.
 */
async function findBusyConnections(db: Database, names: string[]): Promise<Set<string>> {
  const rows = await db<{ name: string; isAtWork: boolean; isOurs: boolean }[]>`
    select application_name as name, pid = pg_backend_pid() as is_ours,
      coalesce(state = 'disabled' or state = 'active' and wait_event_type is distinct from 'Client', false) as is_at_work
    from pg_stat_activity where pid = pg_backend_pid() or ${isNamed(db, names)}`
  const [own] = (db as PatchedDatabase).connections()
  if (!rows.some(({ isOurs, name }) => isOurs && name === own?.name)) throw new Error('the server hides our names')
  return new Set(rows.filter(({ isAtWork }) => isAtWork).map(({ name }) => name))
}

const terminateSessions = async (db: Database, names: string[]) =>
  await db`select pg_terminate_backend(pid) from pg_stat_activity where ${isNamed(db, names)}`
