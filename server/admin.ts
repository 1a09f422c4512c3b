import { join } from 'node:path'
import { createAdministrator } from './features/setup/index.ts'
import { rotateSigningKeys } from './features/signing-keys/index.ts'
import { openPlatform } from './open-platform.ts'
import { type Config, ConfigurationError, readConfig } from './platform/config.ts'
import { ownSecret, runningEmbeddedDatabase } from './platform/embedded-database.ts'
import { type Stop, startProblem } from './platform/lifecycle.ts'
import type { Context } from './platform/platform.ts'

const USAGE = 'npm run admin -- create-admin <account> | rotate-signing-keys'

/** For an operator with shell access, also while the server runs. */
async function run([command, account, ...rest]: string[], opened: Stop[]): Promise<void> {
  const isKnown = command === 'create-admin' ? account !== undefined : command === 'rotate-signing-keys' && !account
  if (!isKnown || rest.length > 0) throw new ConfigurationError(`usage: ${USAGE}`)
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env })
  const platform = await openPlatform(await reachable(config), opened, () => {})
  const client = { requestId: 'command-line', ip: '127.0.0.1', userAgent: 'command line', language: 'en' } as const
  const ctx: Context = { ...platform, db: platform.sql, caller: null, client }
  if (!account) return await rotateKeys(ctx)
  const { created, password } = await createAdministrator(ctx, account)
  process.stdout.write(
    `${created ? 'Created' : 'Restored'} the administrator ${account}.\n` +
      `Password for the next login, to be changed there: ${password}\n`,
  )
}

/** At once, for a key that may have become known: what it signed stays good until it runs out. */
async function rotateKeys(ctx: Context): Promise<void> {
  const kids = await rotateSigningKeys(ctx, ctx.now(), 'command line')
  process.stdout.write(`New signing keys: ${kids.join(', ')}\n`)
}

/** The embedded database belongs to one process; while a server holds it, we are its guest. */
async function reachable(config: Config): Promise<Config> {
  const databaseUrl = config.databaseUrl ?? (await runningEmbeddedDatabase(config.dataDir))
  return databaseUrl
    ? { ...config, databaseUrl, secretKey: config.secretKey ?? ownSecret(join(config.dataDir, 'secret-key')) }
    : config
}

const opened: Stop[] = []
try {
  await run(process.argv.slice(2), opened)
} catch (error) {
  process.stderr.write(`${startProblem(error)}\n`)
  process.exitCode = 1
} finally {
  for (const close of opened.reverse()) await close().catch(() => {})
}
