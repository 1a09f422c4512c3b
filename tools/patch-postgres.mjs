/**
 * Fixes postgres.js 3.4.9, where a connection that is cut at the wrong moment (porsager/postgres issues 1066, 1154,
 * 1208; open there)
 * - ends the process by a write to a closed socket,
 * - leaves statements unsettled, or unsent bytes that corrupt its next connection,
 * - lets a transaction or a reserved connection continue, outside any transaction, on the connection that replaced it;
 * and its queue of idle connections, which grew by an entry with every statement until all connections were busy at
 * once, and was searched from its beginning for every statement. It also lets server/platform/connection-guard.ts see
 * the connections, each under its own name in pg_stat_activity, and the errors of the server; and it takes the most
 * recently used idle connection, so that the others can be closed for being idle. Runs after each installation; does
 * nothing if already applied. server/platform/db.test.ts has the proof.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The marks of installations with the fixes so far; a newer version applies the rest. */
const MARKS = ['/* gatehouse: repaired, 3 */\n', '/* gatehouse: repaired, 4 */\n', '/* gatehouse: repaired, 5 */\n']

const GUARDED_WRITE = `  function nextWrite(fn) {
    if (!socket) {
      nextWriteTimer !== null && clearImmediate(nextWriteTimer)
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options))
      return false
    }
    const x = socket.write(chunk, fn)`

const REPAIRS = {
  'queue.js': [
    [
      '      } else {\n        xs[index - 1] = undefined\n',
      '      } else if (index > 32 && index * 2 > xs.length) {\n        xs = xs.slice(index)\n        index = 0\n      } else {\n        xs[index - 1] = undefined\n',
      1,
    ],
    [
      '      const index = xs.indexOf(x)\n      return index === -1\n        ? null\n        : (xs.splice(index, 1), x)',
      '      const at = xs.indexOf(x, index)\n      return at === -1\n        ? null\n        : (xs.splice(at, 1), x)',
      1,
    ],
  ],
  'connection.js': [
    ['  function nextWrite(fn) {\n    const x = socket.write(chunk, fn)', GUARDED_WRITE, 1],
    [
      '    clearImmediate(nextWriteTimer)\n',
      '    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n',
      2,
    ],
    // A statement sent between the socket's error and its close was never settled.
    [
      "    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))\n",
      "    ;(query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))\n    query = null\n",
      1,
    ],
  ],
  'index.js': [
    [
      '    const queue = Queue()\n    const c = open',
      '    const queue = Queue()\n    let lost = null\n    const c = open',
      1,
    ],
    [
      '    c.reserved.release = true\n',
      '    c.reserved.release = true\n    c.onclose = e => {\n      lost = e\n      while (queue.length) queue.shift().reject(e)\n    }\n',
      1,
    ],
    ['    sql.release = () => {\n', '    sql.release = () => {\n      if (lost) return\n      c.onclose = null\n', 1],
    [
      '    function handler(q) {\n      c.queue === full\n        ? queue.push(q)',
      '    function handler(q) {\n      if (lost) return q.reject(lost)\n      c.queue === full\n        ? queue.push(q)',
      1,
    ],
    ['    let savepoints = 0\n', '    let lost = null\n    let savepoints = 0\n', 1],
    [
      '        new Promise((_, reject) => connection.onclose = reject)\n',
      '        new Promise((_, reject) => connection.onclose = e => {\n          lost = e\n          while (queries.length) queries.shift().reject(e)\n          reject(e)\n        })\n',
      1,
    ],
    [
      '        q.catch(e => uncaughtError || (uncaughtError = e))\n',
      '        q.catch(e => uncaughtError || (uncaughtError = e))\n        if (lost) return q.reject(lost)\n',
      1,
    ],
  ],
}

const GUARD = {
  'connection.js': [
    ['    , final = null\n', "    , final = null\n    , name = ''\n", 1],
    [
      '    cancel,\n    end,\n    count: 0,\n',
      `    cancel,
    end,
    get socket() { return socket },
    get name() { return name },
    get isIdle() { return connection.queue === queues.open },
    // Not while a copy or a cursor waits for us.
    get isWaiting() {
      return !!(query || initial || sent.length) && !(query && query.cursorFn) && !(stream && !(socket && socket.writableLength))
    },
    count: 0,
`,
      1,
    ],
    [
      '        options.connection\n      )).filter',
      "        options.connection,\n        { application_name: name = options.connection.application_name + ' ' + statementId }\n      )).filter",
      1,
    ],
    [
      '  function ErrorResponse(x) {\n',
      '  function ErrorResponse(x) {\n    options.onerror && options.onerror(parseError(x))\n',
      1,
    ],
  ],
  'index.js': [
    [
      '    options,\n    reserve,\n',
      '    options,\n    connections: () => listen.sql ? connections.concat(listen.sql.connections()) : connections,\n    listener: () => listen.sql,\n    reserve,\n',
      1,
    ],
    ['    onclose         : o.onclose,\n', '    onclose         : o.onclose,\n    onerror         : o.onerror,\n', 1],
  ],
}

const LAST_USED_FIRST = {
  'queue.js': [
    [
      '    shift: () => {\n',
      `    pop: () => {
      const out = xs.pop()
      if (index === xs.length) {
        index = 0
        xs = []
      }
      return out
    },
    shift: () => {
`,
      1,
    ],
  ],
  'index.js': [['open.shift()', 'open.pop()', 2]],
}

const STEPS = [REPAIRS, GUARD, LAST_USED_FIRST]

/** @throws Error if the package is not the expected version. */
function repair(name) {
  const file = fileURLToPath(new URL(`../node_modules/postgres/src/${name}`, import.meta.url))
  if (!existsSync(file)) return
  let text = readFileSync(file, 'utf8')
  const done = MARKS.findIndex((mark) => text.startsWith(mark)) + 1
  if (done === STEPS.length) return
  if (done > 0) text = text.slice(MARKS[done - 1].length)
  for (const [before, after, times] of STEPS.slice(done).flatMap((step) => step[name] ?? [])) {
    const parts = text.split(before)
    if (parts.length - 1 !== times) {
      throw new Error('postgres has changed: is tools/patch-postgres.mjs still needed? Adapt or remove it')
    }
    text = parts.join(after)
  }
  writeFileSync(`${file}.${process.pid}`, MARKS[STEPS.length - 1] + text)
  renameSync(`${file}.${process.pid}`, file)
}

export function patchPostgres() {
  for (const name of Object.keys(REPAIRS)) repair(name)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) patchPostgres()
