import { join } from 'node:path'
import { rotateClientSecret } from './features/client-secrets/index.ts'
import { confirmSweep } from './features/dormancy/index.ts'
import { switchPoliciesOff, switchPoliciesOn } from './features/policy-switch/index.ts'
import { type Finding, verifyRecords } from './features/record-evidence/index.ts'
import { resetSecondFactors } from './features/second-factors/index.ts'
import { createAdministrator } from './features/setup/index.ts'
import { rotateSigningKeys } from './features/signing-keys/index.ts'
import { resetAppearance } from './features/themes/index.ts'
import { openPlatform } from './open-platform.ts'
import { type Config, ConfigurationError, readConfig } from './platform/config.ts'
import { findRunningDatabaseUrl, loadOrCreateSecret } from './platform/embedded-database.ts'
import { type CloseFunction, describeStartError } from './platform/lifecycle.ts'
import type { Context } from './platform/platform.ts'

type Command = {
  /** The argument, for the usage line; null: none. */
  takes: 'account' | 'appId' | 'off|on' | 'reset' | null
  run(ctx: Context, name: string): Promise<string>
}

/** Each returns the text printed for the operator. */
const COMMANDS: Record<string, Command> = {
  appearance: { takes: 'reset', run: shipAppearance },
  'confirm-dormancy': { takes: null, run: confirmDormancy },
  'create-admin': { takes: 'account', run: createAdmin },
  policies: { takes: 'off|on', run: switchPolicies },
  'reset-second-factor': { takes: 'account', run: resetFactors },
  'rotate-signing-keys': { takes: null, run: rotateKeys },
  'rotate-client-secret': { takes: 'appId', run: rotateSecret },
  'verify-records': { takes: null, run: checkRecords },
}

const USAGE = `npm run admin -- ${Object.entries(COMMANDS)
  .map(([name, { takes }]) => (takes ? `${name} <${takes}>` : name))
  .join(' | ')}`

/** For an operator with shell access; works while the server runs too. */
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

/** Immediately, for a key that may have leaked: what it signed stays valid until it expires. */
async function rotateKeys(ctx: Context): Promise<string> {
  const kids = await rotateSigningKeys(ctx, ctx.now(), 'command line')
  return `New signing keys: ${kids.join(', ')}`
}

async function rotateSecret(ctx: Context, appId: string): Promise<string> {
  const secret = await rotateClientSecret(ctx, appId, { actor: 'command line' })
  if (secret === null) throw new ConfigurationError(`no OAuth application with the appId "${appId}"`)
  return `New secret of ${appId}, shown this once: ${secret}`
}

/** For an operator who knows why one night would affect so many accounts. */
async function confirmDormancy(ctx: Context): Promise<string> {
  const held = await confirmSweep(ctx)
  if (!held) return 'No dormancy run is on hold, or one is under way.'
  const { people, dormant, locked, told } = held
  return `The dormancy run continues: of ${people} people, ${dormant} become dormant, ${locked} are locked, ${told} are notified.`
}

/** For an operator whose theme makes the pages unusable. */
async function shipAppearance(ctx: Context, word: string): Promise<string> {
  if (word !== 'reset') throw new ConfigurationError(`usage: ${USAGE}`)
  const { setByFile } = await resetAppearance(ctx)
  const kept = setByFile.length > 0 ? ` The bootstrap file sets ${setByFile.join(', ')}, which stays.` : ''
  return `The pages look as they ship. Themes and their drafts are kept.${kept}`
}

const FINDINGS: Record<Finding['kind'], (finding: Finding) => string> = {
  changed: ({ found }) => `changed: at least one of ${found} lines is not as it was written`,
  missing: ({ sealed, found }) => `missing: ${sealed} lines were written, ${found} are there`,
  inserted: ({ sealed, found }) => `inserted: ${sealed} lines were written, ${found} are there`,
  seal: () => 'the entry of the chain was not written by this installation, or for other lines',
  gap: () => 'the chain has no entry for this time',
  rewritten: () => 'the entry of the chain is gone, or is not the one in seals.jsonl',
  file: () => 'a line of seals.jsonl was not signed by this installation',
}
const MAX_FINDINGS = 100

/** Verifies all retained records. @throws ConfigurationError if a record differs from what was written. */
async function checkRecords(ctx: Context): Promise<string> {
  const { findings, logs } = await verifyRecords(ctx)
  const told = logs.map(({ log, hours, lines, expired, head }) => {
    if (!head) return `${log}: nothing is sealed yet`
    const kept = expired > 0 ? `, ${expired} hours are older than the retention` : ''
    return `${log}: ${lines} lines of ${hours} hours${kept}; sealed up to ${head.until.toISOString()}, digest ${head.digest}`
  })
  const key = `Public key of the signatures:\n${ctx.secrets.publicKey().trim()}`
  if (findings.length === 0) {
    const verdict = logs.some(({ head }) => head)
      ? 'The sealed records are as they were written.'
      : 'Nothing is sealed, so nothing could be verified.'
    return [verdict, ...told, key].join('\n')
  }
  const shown = findings.slice(0, MAX_FINDINGS).map((finding) => {
    const { log, from, until, kind } = finding
    return `${log} ${from.toISOString()} to ${until.toISOString()}: ${FINDINGS[kind](finding)}`
  })
  const more = findings.length > shown.length ? [`and ${findings.length - shown.length} more`] : []
  throw new ConfigurationError(['The records are not as they were written.', ...shown, ...more, ...told].join('\n'))
}

/** For an operator whose access rules lock everybody out. */
async function switchPolicies(ctx: Context, to: string): Promise<string> {
  if (to === 'on') {
    await switchPoliciesOn(ctx)
    return 'The access rules hold again.'
  }
  if (to !== 'off') throw new ConfigurationError(`usage: ${USAGE}`)
  const { reset, setByFile } = await switchPoliciesOff(ctx)
  return [
    'No access rule holds until `npm run admin -- policies on` or until a super user switches them on again.',
    ...(reset.length > 0 ? [`No super user could log in: back to their defaults are ${reset.join(', ')}.`] : []),
    ...(setByFile.length > 0
      ? [`No super user can log in: the bootstrap file sets ${setByFile.join(', ')}, change it there and restart.`]
      : []),
  ].join('\n')
}

/** The embedded database belongs to one process; if a server is running, this one connects to its database. */
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
