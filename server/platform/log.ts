import { writeSync } from 'node:fs'
import type { FastifyBaseLogger } from 'fastify'
import pino, { type DestinationStream, type LoggerOptions } from 'pino'
import { isOutage } from './db.ts'

/**
 * Structured JSON on `destination`. What must never be logged (passwords, codes, tickets, tokens, cookies) is not passed to the log at all;
 * redaction is the second line of defence.
 */
export function createLog(level: string, destination: DestinationStream = createLogOutput(1)): FastifyBaseLogger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: {
      err: (error: Error & { code?: string }) => ({
        type: error.name,
        message: error.message,
        code: error.code,
        // Where a statement was called says nothing about why the database is unavailable.
        stack: isOutage(String(error.code)) ? undefined : error.stack,
      }),
    },
    redact: { paths: ['*.password', '*.token', '*.ticket', '*.captcha', 'headers'], censor: '[redacted]' },
  }
  return pino(options, destination)
}

export type LogOutput = DestinationStream & {
  /** Lines that could not be written, since the start. */
  lost(): number
  /** Writes what is queued, as far as possible now. */
  flush(): void
}

const MAX_BATCH_CHARACTERS = 16 * 1024
const MAX_BATCH_MS = 500
/** Pino's number of the level: from here on a line is written at once. */
const WARN = 40

/**
 * Writes lines in batches, at most half a second later, which saves a system call per answer. A warning or worse is written at once,
 * together with what is queued before it.
 */
export function batchLines(output: LogOutput): LogOutput & { flushSync(): void; lastLevel: number } {
  let batch = ''
  let timer: NodeJS.Timeout | undefined
  const send = () => {
    clearTimeout(timer)
    timer = undefined
    const text = batch
    batch = ''
    if (text !== '') output.write(text)
  }
  const flush = () => {
    send()
    output.flush()
  }
  return {
    // Tells pino to set `lastLevel` before each write.
    [Symbol.for('pino.metadata') as never]: true,
    lastLevel: 0,
    lost() {
      send()
      return output.lost()
    },
    flush,
    // What pino calls after a fatal line.
    flushSync: flush,
    write(line) {
      batch += line
      if (this.lastLevel >= WARN || batch.length >= MAX_BATCH_CHARACTERS) send()
      else timer ??= setTimeout(send, MAX_BATCH_MS).unref()
    },
  }
}

/** Buffered for a reader that is slow for a moment; beyond that, lines are dropped. */
const MAX_BUFFERED_BYTES = 1024 * 1024
const RETRY_MS = 50

/**
 * Writes whole lines to a file handle, and never throws. What can't be written because the disk is full, its reader is gone or the device
 * fails is counted and dropped; what a slow reader does not accept yet is buffered, within limits, without blocking the process. Once there
 * is room again, a line says how many were lost.
 */
export function createLogOutput(fd: number): LogOutput {
  let waiting: LogChunk[] = []
  let waitingBytes = 0
  let isInsideLine = false
  let [lost, reportedLost] = [0, 0]
  let timer: NodeJS.Timeout | undefined

  /** @returns what a slow reader did not accept; null if nothing is left */
  const writeChunk = ({ bytes, isRest }: LogChunk): LogChunk | null => {
    // The disk filled up in the middle of a line: the next one must start on a new line.
    const whole = isInsideLine && !isRest ? Buffer.concat([NEW_LINE, bytes]) : bytes
    const { written, failure } = writeAll(fd, whole)
    if (written > 0) isInsideLine = whole[written - 1] !== NEW_LINE[0]
    if (failure === 'EAGAIN') return { bytes: whole.subarray(written), isRest: isRest || written > 0 }
    if (failure !== null) lost += countLines(whole.subarray(Math.max(written, whole.length - bytes.length)))
    return null
  }
  const enqueue = (piece: LogChunk) => {
    waiting.push(piece)
    waitingBytes += piece.bytes.length
    timer ??= setTimeout(flush, RETRY_MS).unref()
  }
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const pieces = waiting
    waiting = []
    waitingBytes = 0
    for (const [index, piece] of pieces.entries()) {
      const rest = writeChunk(piece)
      if (rest) return [rest, ...pieces.slice(index + 1)].forEach(enqueue)
    }
  }
  const write = (text: string) => {
    const piece = { bytes: Buffer.from(text), isRest: false }
    if (waiting.length === 0) {
      const rest = writeChunk(piece)
      if (rest) enqueue(rest)
    } else if (waitingBytes + piece.bytes.length <= MAX_BUFFERED_BYTES) enqueue(piece)
    else lost += countLines(piece.bytes)
  }
  return {
    lost: () => lost,
    flush,
    write(text) {
      const before = lost
      write(text)
      if (lost > before || lost === reportedLost || waiting.length > 0) return
      const line = {
        level: 'warn',
        time: new Date().toISOString(),
        lost: lost - reportedLost,
        msg: 'log lines were lost',
      }
      reportedLost = lost
      write(`${JSON.stringify(line)}\n`)
    },
  }
}

/** @returns how many bytes were written, and the code of the error that stopped it */
function writeAll(fd: number, bytes: Buffer): { written: number; failure: string | null } {
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written)
    return { written, failure: null }
  } catch (error) {
    return { written, failure: (error as NodeJS.ErrnoException).code ?? 'unknown' }
  }
}

/** Lines, the first possibly only the rest of one. */
type LogChunk = { bytes: Buffer; isRest: boolean }

const NEW_LINE = Buffer.from('\n')

/** The number of lines that end in these bytes. */
function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(NEW_LINE); at >= 0; at = bytes.indexOf(NEW_LINE, at + 1)) lines += 1
  return lines
}
