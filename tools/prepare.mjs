/**
 * Prepares a checkout before npm starts or tests it: packages, the pinned Node, built pages and server, a Chromium. Does only what
 * is missing or out of date, and reports it. Runs on any Node from version 20.
 *
 *   node tools/prepare.mjs start
 *   node tools/prepare.mjs test
 *   node tools/prepare.mjs build    builds in any case
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findChromium, installChromium } from './chromium.mjs'
import { patchPostgres } from './patch-postgres.mjs'
import { withProcessLock } from './process-lock.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const at = (...parts) => join(root, ...parts)
const say = (line) => process.stdout.write(`${line}\n`)

class Problem extends Error {}

/** Runs a program to its end; its output is shown only on failure, or line by line for long-running ones. */
async function run(title, program, args, options = {}) {
  const began = Date.now()
  say(`${title} …`)
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += bytes))
  const pulse = setInterval(() => say(`${title} … ${Math.round((Date.now() - began) / 1000)} s`), 10_000)
  const code = await new Promise((done) => {
    child.once('error', (error) => {
      output += error.message
      done(1)
    })
    child.once('exit', (exit) => done(exit ?? 1))
  })
  clearInterval(pulse)
  if (code !== 0) throw new Problem(`${title} failed:\n${output.trim()}`)
}

const INSTALLED = at('node_modules', '.cache', 'gatehouse-installed')
const PINNED = at('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
const sha256 = (text) => createHash('sha256').update(text).digest('hex')

/** A manual `npm install` counts too: npm records what it installed. */
function matchesLock(lock) {
  const noted = at('node_modules', '.package-lock.json')
  if (!existsSync(noted)) return false
  const installed = JSON.parse(readFileSync(noted, 'utf8')).packages
  const wanted = Object.entries(JSON.parse(lock).packages).filter(([path]) => path !== '')
  return wanted.every(([path, { version, optional, peer }]) =>
    installed[path] ? installed[path].version === version : optional || peer,
  )
}

async function installPackages() {
  const lock = readFileSync(at('package-lock.json'), 'utf8')
  const mark = sha256(`${lock}\n${process.platform} ${process.arch}`)
  const isCurrent = existsSync(INSTALLED) ? readFileSync(INSTALLED, 'utf8') === mark : matchesLock(lock)
  if (!isCurrent || !existsSync(PINNED)) {
    const flags = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
    const npm = process.env.npm_execpath
    const [program, args] = npm?.endsWith('.js') ? [process.execPath, [npm, ...flags]] : ['npm', flags]
    await run('Installing packages, once (about a minute)', program, args, { env: { ...process.env, NODE_ENV: '' } })
  }
  const works = spawnSync(PINNED, ['--version'])
  if (works.status !== 0) {
    throw new Problem(
      `The pinned Node (${PINNED}) does not run: was npm told to ignore scripts? Try: npm ci --ignore-scripts=false`,
    )
  }
  if (!isCurrent || !existsSync(INSTALLED)) keep(INSTALLED, mark)
}

/** Atomic, even if the process is killed; a read-only checkout works without. */
function keep(file, text) {
  try {
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(`${file}.${process.pid}`, text)
    renameSync(`${file}.${process.pid}`, file)
  } catch (error) {
    if (!/^(EROFS|EACCES|EPERM)$/.test(error.code)) throw error
  }
}

const VITE = at('node_modules', 'vite', 'bin', 'vite.js')
/** What is built from which sources; `noted` is the file with the digest of the sources that were built last. */
const PAGES = {
  sources: ['web', 'shared', 'tools', 'package-lock.json', 'vite.config.ts', 'vite.login.config.ts'],
  builds: [
    ['the portal', ['build']],
    ['the login page', ['build', '-c', 'vite.login.config.ts']],
    ['the login page for the server', ['build', '-c', 'vite.login.config.ts', '--ssr', 'login/render.tsx']],
  ],
  noted: at('dist', 'built-from'),
}
const SERVER = {
  // The demo school starts the simulators; the database driver is repaired before it is bundled.
  sources: [
    'server',
    'shared',
    'tools/simulators',
    'tools/outside-packages.ts',
    'tools/patch-postgres.mjs',
    'package-lock.json',
    'vite.server.config.ts',
  ],
  builds: [['the server', ['build', '-c', 'vite.server.config.ts']]],
  noted: at('dist', 'server', 'built-from'),
}
/** Not part of any build, and contains packages. */
const NOT_SOURCES = ['tools/interop']

function digestOf(sources) {
  const hash = createHash('sha256')
  const add = (path) => {
    if (!existsSync(at(path)) || NOT_SOURCES.includes(path)) return
    const entries = readdirOrNull(at(path))
    if (!entries) return void hash.update(`${path}\n`).update(readFileSync(at(path)))
    for (const name of entries.sort()) add(`${path}/${name}`)
  }
  for (const source of sources) add(source)
  return hash.digest('hex')
}

function readdirOrNull(path) {
  try {
    return readdirSync(path)
  } catch {
    return null
  }
}

async function build({ sources, builds, noted }, isAsked) {
  const digest = digestOf(sources)
  if (!isAsked && existsSync(noted) && readFileSync(noted, 'utf8') === digest) return
  forget(noted)
  for (const [what, args] of builds) {
    await run(`Building ${what}`, PINNED, [VITE, ...args, '--logLevel', 'warn'], {
      env: { ...process.env, NODE_ENV: '' },
    })
  }
  keep(noted, digest)
}

/** What is built from now on has other sources. */
function forget(noted) {
  try {
    rmSync(noted, { force: true })
  } catch (error) {
    throw new Problem(
      `What is built here is not from these sources, and can't be replaced (${error.code}): run "npm run build" as the owner of ${root}`,
    )
  }
}

async function ensureChromium() {
  const found = findChromium()
  if (found.problem) throw new Problem(found.problem)
  if (!found.path) await installChromium((title, program, args) => run(title, program, args))
  if (!findChromium().path) {
    throw new Problem(
      'The browser tests need Chromium, which could not be installed here.\n' +
        'Install it (Debian: apt-get install chromium), or name one in CHROMIUM_PATH, and run npm test again.',
    )
  }
}

try {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new Problem(`Gatehouse needs Node 20 or newer to start; this is ${process.version}`)
  }
  const purpose = process.argv[2]
  const onWait = () => say('Waiting for another start of this checkout …')
  await withProcessLock(at('dist', 'preparing'), onWait, async () => {
    await installPackages()
    patchPostgres()
    if (purpose === 'check') return
    await build(PAGES, purpose === 'build')
    await build(SERVER, purpose === 'build')
  })
  if (purpose === 'test') await ensureChromium()
} catch (error) {
  if (!(error instanceof Problem)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
