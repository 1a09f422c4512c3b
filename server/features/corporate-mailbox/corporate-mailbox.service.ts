import type {
  AddressPreview,
  CorporateMailbox,
  checkCorporateMailbox,
  previewAddresses,
  updateCorporateMailbox,
} from '#shared/contract/corporate-mailbox.ts'
import {
  type AddressRule,
  AddressRules,
  MAILBOX_SECRETS,
  MAILBOX_SETTINGS,
  type MailboxDriver,
  MailboxSettings,
} from '#shared/contract/mailbox-settings.ts'
import type { VendorCheck } from '#shared/contract/vendors.ts'
import { openMailboxes } from '../../connectors/index.ts'
import type { Db } from '../../platform/db.ts'
import { errors as common } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, callerOf, type Platform, transaction } from '../../platform/platform.ts'
import { type Restorer, recordAudit, type Snapshot } from '../records/index.ts'
import { keepSecrets, maskSettings, runChecks } from '../vendors/index.ts'
import { allAddresses, type FoundAddress, findAddress, findAddresses, previewOf } from './addresses.store.ts'
import { errors } from './corporate-mailbox.errors.ts'
import {
  findMailboxes,
  lockMailboxes,
  moveMailboxHosts,
  type StoredMailboxes,
  saveMailboxes,
} from './corporate-mailbox.store.ts'

type Given = { enabled: boolean; settings: MailboxSettings; rules: AddressRule[] }

const TOPIC = 'corporate-mailbox'
const TARGET = { targetKind: 'corporate-mailbox', targetId: 'mailbox' } as const

const sealingOf = ({ driver }: Pick<MailboxSettings, 'driver'>) => ({
  settings: MAILBOX_SETTINGS[driver],
  secrets: [MAILBOX_SECRETS[driver]],
})

/** The settings with the secret decrypted: must not get into a response or the history. @throws ZodError */
function openSettings(ctx: Context, { settings, secrets }: StoredMailboxes): MailboxSettings {
  return MailboxSettings.parse({ ...settings, ...(JSON.parse(ctx.secrets.open(secrets)) as object) })
}

/** Replaces the placeholder by the stored secret if it goes to the destination it was entered for. @throws Refusal `settings.secret-needed` */
function resolveSettings(ctx: Context, given: MailboxSettings, stored: StoredMailboxes | null): MailboxSettings {
  const before = stored?.settings['driver'] === given.driver ? openSettings(ctx, stored) : null
  return MailboxSettings.parse(keepSecrets(sealingOf(given), given, before))
}

export async function describeMailboxes(ctx: Context): Promise<CorporateMailbox> {
  const stored = await findMailboxes(ctx.db)
  if (!stored) return { version: 0, enabled: true, settings: null, rules: [] }
  const { version, enabled, rules } = stored
  const settings = openSettings(ctx, stored)
  return {
    version,
    enabled,
    rules,
    settings: maskSettings(sealingOf(settings), settings) as CorporateMailbox['settings'],
  }
}

const snapshotOf = ({ enabled, settings, rules }: CorporateMailbox): Snapshot => ({ enabled, ...settings, rules })

/** Creates or changes the mailbox settings. @throws Refusal `version.conflict` with the stored settings, `settings.secret-needed`. */
export async function changeMailboxes(
  ctx: Context,
  { version, ...given }: Input<typeof updateCorporateMailbox>['body'],
): Promise<CorporateMailbox> {
  return await transaction(ctx, async (inner) => {
    const before = await write(inner, version, given)
    const after = await describeMailboxes(inner)
    await recordAudit(inner, {
      action: 'corporate-mailbox.change',
      ...TARGET,
      before: before.settings && snapshotOf(before),
      after: snapshotOf(after),
    })
    return after
  })
}

/** @returns the settings before. */
async function write(
  ctx: Context,
  version: number,
  { enabled, settings: given, rules }: Given,
): Promise<CorporateMailbox> {
  await lockMailboxes(ctx.db)
  const before = await describeMailboxes(ctx)
  if (before.version !== version) throw common['version.conflict']({ data: { current: before } })
  const settings = resolveSettings(ctx, given, await findMailboxes(ctx.db))
  await installMailboxes(ctx, { enabled, settings, rules })
  return before
}

/** Replaces the stored settings, in the caller's transaction; every node follows at once. */
export async function installMailboxes(ctx: Context, { enabled, settings, rules }: Given): Promise<void> {
  const all = Object.entries(settings)
  const isSecret = ([name]: [string, unknown]) => name === MAILBOX_SECRETS[settings.driver]
  await saveMailboxes(ctx.db, {
    enabled,
    rules,
    settings: Object.fromEntries(all.filter((pair) => !isSecret(pair))),
    secrets: ctx.secrets.seal(JSON.stringify(Object.fromEntries(all.filter(isSecret)))),
    at: ctx.now(),
  })
  await ctx.cache.invalidate(ctx.db, TOPIC)
}

/** Replaces origins wherever the settings name them. */
export async function moveMailboxes(
  platform: Platform,
  db: Db,
  moves: readonly { from: string; to: string }[],
): Promise<void> {
  for (const move of moves) await moveMailboxHosts(db, move, platform.now())
  await platform.cache.invalidate(db, TOPIC)
}

const visitorOf = ({ client }: Context, address: string) => ({
  address,
  ip: client.ip,
  isChinese: client.language.startsWith('zh'),
})

/**
 * Checks the settings with the mailbox that the rules give the caller. @throws Refusal `settings.secret-needed`, `vendor.too-many-checks`
 */
export async function checkMailboxes(
  ctx: Context,
  { settings: given, rules }: Input<typeof checkCorporateMailbox>['body'],
): Promise<VendorCheck> {
  const settings = resolveSettings(ctx, given, await findMailboxes(ctx.db))
  const { host, checkSecret, checkMailbox } = openMailboxes(ctx, settings)
  const { address } = rules.length > 0 ? await findAddress(ctx.db, rules, callerOf(ctx).userId) : { address: null }
  return await runChecks(ctx, {
    name: settings.driver,
    host,
    checks: [
      { step: 'secret', run: checkSecret },
      ...(checkMailbox && address !== null
        ? [{ step: 'mailbox' as const, run: () => checkMailbox(visitorOf(ctx, address)) }]
        : []),
    ],
  })
}

export const previewMailboxes = (
  ctx: Context,
  { rules, show }: Input<typeof previewAddresses>['body'],
): Promise<AddressPreview> => previewOf(ctx.db, rules, show, ctx.client.language)

/** Read for every home page. */
const readMailboxes = (ctx: Context) => ctx.cache.read(TOPIC, '', () => findMailboxes(ctx.sql))

/** The rules that make addresses at this provider; null: the institution's mailboxes are elsewhere, or not set up. */
export async function findAddressRules({ db }: Context, driver: MailboxDriver): Promise<AddressRule[] | null> {
  const stored = await findMailboxes(db)
  return stored?.settings['driver'] === driver ? stored.rules : null
}

/** What the rules make of these people, or of everybody. */
export const addressesOf = (
  { db }: Context,
  rules: readonly AddressRule[],
  ids: readonly string[] | null,
): Promise<Map<string, FoundAddress>> => (ids ? findAddresses(db, rules, ids) : allAddresses(db, rules))

/** The caller's address at the institution; null: none, or mailboxes are off. */
export async function findOwnAddress(ctx: Context): Promise<string | null> {
  const stored = await readMailboxes(ctx)
  if (!stored?.enabled) return null
  return (await findAddress(ctx.db, stored.rules, callerOf(ctx).userId)).address
}

/** The caller's own mailbox and its settings; null: none. */
export async function findOwnMailbox(ctx: Context): Promise<{ settings: MailboxSettings; address: string } | null> {
  const [stored, address] = await Promise.all([readMailboxes(ctx), findOwnAddress(ctx)])
  return stored && address !== null ? { settings: openSettings(ctx, stored), address } : null
}

/** Restores former settings; the secret stays if it is still valid for them. */
export const mailboxRestorer: Restorer = {
  async current(ctx, ids) {
    const { settings, ...found } = await describeMailboxes(ctx)
    if (!settings || !ids.includes(TARGET.targetId)) return new Map()
    const name = ctx.translate(ctx.client.language, 'corporate-mailbox.title')
    return new Map([[TARGET.targetId, { name, version: found.version, snapshot: snapshotOf({ ...found, settings }) }]])
  },
  async restore(ctx, _id, { enabled, rules, ...given }, version) {
    const settings = MailboxSettings.safeParse(given)
    const former = AddressRules.safeParse(rules)
    if (!settings.success || !former.success) throw errors['corporate-mailbox.former-invalid']()
    await write(ctx, version, { enabled: enabled === true, settings: settings.data, rules: former.data })
  },
}
