import type { FastifyBaseLogger } from 'fastify'
import pino, { type DestinationStream, type LoggerOptions } from 'pino'

/**
 * Structured JSON on stdout (or `destination`, for a test that reads it). What may never be in a line (passwords, codes, tickets, tokens, cookies) is not passed to the
 * log at all; the redaction is the second fence.
 */
export function createLog(level: string, destination?: DestinationStream): FastifyBaseLogger {
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
        stack: error.stack,
      }),
    },
    redact: { paths: ['*.password', '*.token', '*.ticket', '*.captcha', 'headers'], censor: '[redacted]' },
  }
  return destination ? pino(options, destination) : pino(options)
}
