import { spawnSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testDataDir } from '../testing/embedded.ts'
import { until } from '../testing/process.ts'
import { smallDisk } from '../testing/small-disk.ts'
import { batchLines, createLog, createLogOutput } from './log.ts'

type Line = { msg: string; n?: number; lost?: number }

const linesIn = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)

function opened(path: string, flags: number): number {
  const fd = openSync(path, flags)
  onTestFinished(() => closeSync(fd))
  return fd
}

test('lines that a full disk does not accept are counted, and nothing is thrown', () => {
  const output = createLogOutput(opened('/dev/full', constants.O_WRONLY))
  const log = createLog('info', output)
  for (let n = 0; n < 3; n++) log.info({ n }, 'line')
  expect(output.lost()).toBe(3)
})

test('logging continues when a slow reader reads again, with whole lines in order, and says how many were lost', async () => {
  const path = join(testDataDir(), 'pipe')
  expect(spawnSync('mkfifo', [path]).status).toBe(0)
  const reader = opened(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const output = createLogOutput(opened(path, constants.O_WRONLY | constants.O_NONBLOCK))
  const log = createLog('info', output)
  const filling = 'x'.repeat(1000)
  for (let n = 0; n < 2000; n++) log.info({ n, filling }, 'line')
  const lost = output.lost()
  // A pipe holds 64 KiB, and a megabyte is buffered.
  expect(lost).toBeGreaterThan(500)
  expect(lost).toBeLessThan(1200)
  let text = ''
  const bytes = Buffer.alloc(64 * 1024)
  const read = () => {
    try {
      text += bytes.toString('utf8', 0, readSync(reader, bytes))
    } catch {
      // Nothing there yet.
    }
    return text.includes(`"n":${1999 - lost},`) && text.endsWith('\n')
  }
  await until(read, 10_000)
  log.info({ n: 2000 }, 'line')
  await until(() => read() && text.includes('were lost'), 5000)
  const lines = linesIn(text)
  expect(lines.flatMap(({ n }) => n ?? [])).toEqual([...Array.from({ length: 2000 - lost }, (_, n) => n), 2000])
  expect(lines.at(-1)).toMatchObject({ msg: 'log lines were lost', lost })
})

test('logging continues when a full disk has room again, and no line is appended to a torn one', ({ skip }) => {
  const disk = smallDisk(1)
  if (!disk) return skip('only root may mount a small disk')
  const path = join(disk.folder, 'log')
  const output = createLogOutput(opened(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND))
  const log = createLog('info', output)
  log.info({ n: 1, filling: 'x'.repeat(3000) }, 'line')
  disk.fill()
  // The page that has been started takes a part of the second line.
  for (let n = 2; n < 10; n++) log.info({ n, filling: 'x'.repeat(3000) }, 'line')
  expect(output.lost()).toBe(8)
  disk.free()
  log.info({ n: 10 }, 'line')
  const [first, torn, ...rest] = readFileSync(path, 'utf8').split('\n')
  expect(linesIn(first ?? '')[0]).toMatchObject({ n: 1 })
  expect(torn).toMatch(/^\{"level":"info".*x$/)
  expect(linesIn(rest.join('\n'))).toMatchObject([{ n: 10 }, { msg: 'log lines were lost', lost: 8 }])
})

test('lines are written in batches, at once with a warning, and before a fatal end', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const path = join(testDataDir(), 'log')
  const log = createLog('info', batchLines(createLogOutput(opened(path, constants.O_WRONLY | constants.O_CREAT))))
  const numbers = () => linesIn(readFileSync(path, 'utf8')).map(({ n }) => n)
  log.info({ n: 1 }, 'line')
  log.info({ n: 2 }, 'line')
  expect(numbers()).toEqual([])
  vi.advanceTimersByTime(500)
  expect(numbers()).toEqual([1, 2])
  log.info({ n: 3 }, 'line')
  log.warn({ n: 4 }, 'line')
  expect(numbers()).toEqual([1, 2, 3, 4])
  log.info({ n: 5, filling: 'x'.repeat(20_000) }, 'line')
  expect(numbers()).toEqual([1, 2, 3, 4, 5])
  log.info({ n: 6 }, 'line')
  log.fatal({ n: 7 }, 'line')
  expect(numbers()).toEqual([1, 2, 3, 4, 5, 6, 7])
})

test('every line of a batch that a full disk does not accept is counted', () => {
  const output = batchLines(createLogOutput(opened('/dev/full', constants.O_WRONLY)))
  const log = createLog('info', output)
  for (let n = 0; n < 3; n++) log.info({ n }, 'line')
  expect(output.lost()).toBe(3)
})
