import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/** Stands in for Vite: notes what it builds, and fails if another build is under way. */
const BUILDER = `
import { appendFileSync, mkdirSync, rmdirSync } from 'node:fs'
mkdirSync('dist/under-way', { recursive: false })
setTimeout(() => {
  rmdirSync('dist/under-way')
  appendFileSync('built', (process.argv[4]?.endsWith('.ts') ? process.argv[4] : 'vite.config.ts') + '\\n')
}, 100)
`
const PAGES = ['vite.config.ts', 'vite.login.config.ts', 'vite.login.config.ts']
const ALL = [...PAGES, 'vite.server.config.ts']

/** A checkout with a space and Chinese characters in its path, whose packages are installed. */
function openCheckout() {
  const parent = mkdtempSync(join(tmpdir(), 'prepare-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  const root = join(parent, '校园 门户')
  const write = (path: string, text: string) => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const name of ['prepare', 'process-lock', 'chromium', 'patch-postgres'])
    cpSync(join(import.meta.dirname, `${name}.mjs`), join(root, 'tools', `${name}.mjs`))
  write('package-lock.json', '{"packages":{}}')
  write('node_modules/.package-lock.json', '{"packages":{}}')
  write('node_modules/vite/bin/vite.js', BUILDER)
  write('node_modules/vite/package.json', '{"type":"module"}')
  write('node_modules/node/bin/.keep', '')
  symlinkSync(process.execPath, join(root, 'node_modules/node/bin/node'))
  for (const folder of ['server', 'shared', 'web', 'tools/simulators']) write(`${folder}/one.ts`, '1')
  const prepare = async (purpose: string) => {
    const child = spawn(process.execPath, [join(root, 'tools/prepare.mjs'), purpose], { stdio: 'pipe' })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += bytes))
    const code = await new Promise((done) => child.once('exit', done))
    return { code, output }
  }
  const start = async () => expect(await prepare('start')).toMatchObject({ code: 0 })
  /** What was built since it was asked last. */
  const built = () => {
    const lines = readFileSync(join(root, 'built'), 'utf8').split('\n').slice(0, -1)
    write('built', '')
    return lines
  }
  return { write, start, prepare, built }
}

test('a start builds what was changed since the last one, and nothing else', async () => {
  const { write, start, prepare, built } = openCheckout()
  await start()
  expect(built()).toEqual(ALL)
  await start()
  expect(built()).toEqual([])
  write('server/one.ts', '2')
  await start()
  expect(built()).toEqual(['vite.server.config.ts'])
  // The server of the demo contains them.
  write('tools/simulators/one.ts', '2')
  await start()
  expect(built()).toContain('vite.server.config.ts')
  expect(await prepare('build')).toMatchObject({ code: 0 })
  expect(built()).toEqual(ALL)
  // Nor is what somebody built by hand.
  await start()
  expect(built()).toEqual([])
})

test('two starts at once build once', async () => {
  const { prepare, built } = openCheckout()
  const starts = await Promise.all([prepare('start'), prepare('start')])
  expect(starts.map(({ code }) => code)).toEqual([0, 0])
  expect(built()).toEqual(ALL)
  expect(starts.filter(({ output }) => output.includes('Waiting'))).toHaveLength(1)
})

test('a start goes on after one that was killed', async () => {
  const { write, start, built } = openCheckout()
  // No process has such a number.
  write('dist/preparing', `4194305 ${hostname()}`)
  await start()
  expect(built()).toEqual(ALL)
})
