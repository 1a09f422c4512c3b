import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'

const text = z.string().trim().min(1)

/** A name or address by which a machine reaches only itself. */
export const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)

const port = z.coerce.number({ error: 'a port from 1 to 65535' }).int().min(0).max(65535)

const origin = text
  .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
    error: 'an http or https address',
    abort: true,
  })
  .refine(
    (value) => new URL(value).pathname === '/' && !/[?#]/.test(value),
    'an address without path, query or fragment',
  )
  .transform((value) => new URL(value).origin)

const databaseUrl = text.refine(
  (value) => URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol),
  'postgres://user:password@host:port/database',
)

const redisUrl = text.refine(
  (value) => URL.canParse(value) && /^(rediss?|valkeys?):$/.test(new URL(value).protocol),
  'redis://host:port or rediss://host:port',
)

const cidrs = text
  .transform((value) => value.split(',').map((part) => part.trim()))
  .refine(
    (list) => list.every((cidr) => ipaddr.isValidCIDR(cidr) || ipaddr.isValid(cidr)),
    'CIDRs such as 10.0.0.0/8, separated by commas',
  )

const Environment = z.object({
  PORT: port.default(8080),
  HOST: text.default('127.0.0.1'),
  PUBLIC_URL: origin.optional(),
  DATABASE_URL: databaseUrl.optional(),
  DATA_DIR: text.default('./data'),
  REDIS_URL: redisUrl.optional(),
  BOOTSTRAP_FILE: text.optional(),
  DEMO: z.enum(['0', '1'], { error: '0 or 1' }).optional(),
  RECORD_ARCHIVE_DIR: text.optional(),
  SECRET_KEY: text.min(32, 'at least 32 characters').optional(),
  METRICS_TOKEN: text.optional(),
  TRUSTED_PROXIES: cidrs.optional(),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'trace, debug, info, warn, error, fatal or silent',
    })
    .default('info'),
  NODE_ENV: text.optional(),
})

export type PasswordHashCost = { memoryCost: number; timeCost: number; parallelism: number }

/** OWASP's first recommendation for argon2id: 19 MiB, two passes, one lane; 8 to 14 ms. */
const PASSWORD_HASH_COST: PasswordHashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export type Config = {
  port: number
  host: string
  /** The origin that people see, without a trailing slash; the only source of absolute URLs. */
  publicUrl: string
  /** Absent: the embedded database below `dataDir`. */
  databaseUrl: string | undefined
  dataDir: string
  redisUrl: string | undefined
  bootstrapFile: string | undefined
  demo: boolean
  /** Where months of records are archived before they are deleted, with the signed seals of records; absent: nowhere. */
  recordArchiveDir: string | undefined
  /** Absent only with the embedded database, which generates one below `dataDir`. */
  secretKey: string | undefined
  metricsToken: string | undefined
  trustedProxies: string[]
  logLevel: string
  /** For new argon2id hashes; not set by the environment, but tests hash cheaply. */
  passwordHashCost: PasswordHashCost
  /** The user to switch to after the start; absent: no change. */
  runAs?: { uid: number; gid: number }
}

/** A configuration error that prevents the start; the message is the one line that the operator sees. */
export class ConfigurationError extends Error {}

/**
 * Reads and validates the environment, once, at start. Empty variables count as unset.
 * @throws ConfigurationError naming the variable and what is allowed.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = Environment.safeParse(given)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new ConfigurationError(`${String(issue?.path[0])} is not usable: expected ${issue?.message}`)
  }
  const e = parsed.data
  const publicUrl = e.PUBLIC_URL ?? `http://localhost:${e.PORT}`
  if (e.DATABASE_URL && !e.SECRET_KEY) {
    throw new ConfigurationError('SECRET_KEY is not set: expected at least 32 characters, because DATABASE_URL is set')
  }
  const demoByDefault = !e.DATABASE_URL && isLoopback(e.HOST) && isLoopback(new URL(publicUrl).hostname)
  return {
    port: e.PORT,
    host: e.HOST,
    publicUrl,
    databaseUrl: e.DATABASE_URL,
    dataDir: resolve(e.DATA_DIR),
    redisUrl: e.REDIS_URL,
    bootstrapFile: e.BOOTSTRAP_FILE && resolve(e.BOOTSTRAP_FILE),
    demo: e.DEMO === undefined ? demoByDefault : e.DEMO === '1',
    recordArchiveDir: e.RECORD_ARCHIVE_DIR && resolve(e.RECORD_ARCHIVE_DIR),
    secretKey: e.SECRET_KEY,
    metricsToken: e.METRICS_TOKEN,
    trustedProxies: e.TRUSTED_PROXIES ?? [],
    logLevel: e.LOG_LEVEL,
    passwordHashCost: PASSWORD_HASH_COST,
  }
}
