import { join } from 'node:path'
import { rotateClientSecret } from './features/client-secrets/index.ts'
import { resetSecondFactors } from './features/second-factors/index.ts'
import { createAdministrator } from './features/setup/index.ts'
import { rotateSigningKeys } from './features/signing-keys/index.ts'
import { openPlatform } from './open-platform.ts'
import { type Config, ConfigurationError, readConfig } from './platform/config.ts'
import { findRunningDatabaseUrl, loadOrCreateSecret } from './platform/embedded-database.ts'
import { type CloseFunction, describeStartError } from './platform/lifecycle.ts'
import type { Context } from './platform/platform.ts'

type Command = {
  /** What it needs, for the usage line; null: nothing. */
  takes: 'account' | 'appId' | null
  run(ctx: Context, name: string): Promise<string>
}

/** Each answers what the operator reads. */
const COMMANDS: Record<string, Command> = {
  'create-admin': { takes: 'account', run: createAdmin },
  'reset-second-factor': { takes: 'account', run: resetFactors },
  'rotate-signing-keys': { takes: null, run: rotateKeys },
  'rotate-client-secret': { takes: 'appId', run: rotateSecret },
}

const USAGE = `npm run admin -- ${Object.entries(COMMANDS)
  .map(([name, { takes }]) => (takes ? `${name} <${takes}>` : name))
  .join(' | ')}`

/** For an operator with shell access, also while the server runs. */
async function run([name = '', argument, ...rest]: string[], opened: CloseFunction[]): Promise<void> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  const isComplete = command?.takes ? argument !== undefined : argument === undefined
  if (!command || !isComplete || rest.length > 0) throw new ConfigurationError(`usage: ${USAGE}`)
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env })
  const { background: platform } = await openPlatform(await withRunningDatabase(config), opened, () => {})
  const client = { requestId: 'command-line', ip: '127.0.0.1', userAgent: 'command line', language: 'en' } as const
  const ctx: Context = { ...platform, db: platform.sql, caller: null, client }
  process.stdout.write(`${await command.run(ctx, argument ?? '')}\n`)
}

async function createAdmin(ctx: Context, account: string): Promise<string> {
  const { created, password } = await createAdministrator(ctx, account)
  const done = `${created ? 'Created' : 'Restored'} the administrator ${account}.`
  return `${done}\nPassword for the next login, to be changed there: ${password}`
}

async function resetFactors(ctx: Context, account: string): Promise<string> {
  await resetSecondFactors(ctx, account)
  return `${account} has no second factor any more, and is logged out everywhere.`
}

/** At once, for a key that may have become known: what it signed stays good until it runs out. */
async function rotateKeys(ctx: Context): Promise<string> {
  const kids = await rotateSigningKeys(ctx, ctx.now(), 'command line')
  return `New signing keys: ${kids.join(', ')}`
}

async function rotateSecret(ctx: Context, appId: string): Promise<string> {
  const secret = await rotateClientSecret(ctx, appId, { actor: 'command line' })
  if (secret === null) throw new ConfigurationError(`no OAuth application with the appId "${appId}"`)
  return `New secret of ${appId}, shown this once: ${secret}`
}

/** The embedded database belongs to one process; while a server holds it, we are its guest. */
async function withRunningDatabase(config: Config): Promise<Config> {
  const databaseUrl = config.databaseUrl ?? (await findRunningDatabaseUrl(config.dataDir))
  return databaseUrl
    ? { ...config, databaseUrl, secretKey: config.secretKey ?? loadOrCreateSecret(join(config.dataDir, 'secret-key')) }
    : config
}

const opened: CloseFunction[] = []
try {
  await run(process.argv.slice(2), opened)
} catch (error) {
  process.stderr.write(`${describeStartError(error)}\n`)
  process.exitCode = 1
} finally {
  for (const close of opened.reverse()) await close().catch(() => {})
}
