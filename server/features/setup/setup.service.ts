import type { z } from 'zod'
import { Gateway } from '#shared/contract/appearance.ts'
import type { TestResult } from '#shared/contract/message-gateways.ts'
import type {
  completeSetup,
  setupState as setupStateCall,
  testSetupMail,
  testSetupSms,
} from '#shared/contract/setup.ts'
import { randomToken, sha256 } from '../../platform/crypto.ts'
import { type Context, type Platform, systemContext, transaction } from '../../platform/platform.ts'
import { applyBootstrap, BootstrapError } from '../bootstrap/index.ts'
import type { EncodedPicture } from '../files/index.ts'
import { findSettingsStates, storeGateway, testMail, testSms } from '../messages/index.ts'
import { assertStrongPassword } from '../passwords/index.ts'
import { recordAudit } from '../records/index.ts'
import { changeSettings } from '../settings/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { findInstitutionFileKeys, paintLogo, storeLogo } from '../system-settings/index.ts'
import { findUserId } from './administrator.store.ts'
import { errors } from './setup.errors.ts'
import { accountExists, closeSetup, findSetupState, hasSuperUser, insertSetupLink } from './setup.store.ts'

/** Nodes that start together each print a link; all of them work. */
const MAX_LINKS = 5

const hashToken = (token: string) => sha256(token).toString('base64url')

/**
 * Called at each start: without any super user it creates a one-time link; with one it closes setup permanently, so that it does not open
 * again if that super user is deleted.
 * @returns the link to print, or null.
 */
export async function ensureSetupLink(platform: Platform): Promise<string | null> {
  const { sql, config } = platform
  if ((await findSetupState(sql))?.closedAt) return null
  const token = randomToken(43)
  const open = await transaction(systemContext(platform), async (ctx) => {
    if (!(await hasSuperUser(ctx.db))) return await insertSetupLink(ctx, hashToken(token), MAX_LINKS)
    await closeSetup(ctx)
    return false
  })
  // Behind #, which is neither logged nor sent in a Referer.
  return open ? `${config.publicUrl}/auth_web/setup#${token}` : null
}

async function requireOpenSetup(ctx: Context, token: string): Promise<void> {
  const state = await findSetupState(ctx.db)
  if (!state || state.closedAt || (await hasSuperUser(ctx.db))) throw errors['setup.closed']()
  if (!state.links.includes(hashToken(token))) throw errors['setup.link-invalid']()
}

export async function describeSetup(ctx: Context, token: string): Promise<z.input<typeof setupStateCall.output>> {
  await requireOpenSetup(ctx, token)
  const { passwordMinLength, passwordMaxLength, passwordLevel } = await signInPolicy(ctx)
  const { publicUrl } = ctx.config
  const [institution, gateways] = await Promise.all([findInstitutionFileKeys(ctx.db), findSettingsStates(ctx.db)])
  const setByFile = {
    institution,
    mail: gateways.mail.isSetByFile,
    sms: gateways.sms.isSetByFile,
  }
  return {
    setByFile,
    publicUrl,
    https: publicUrl.startsWith('https:'),
    passwordMinLength,
    passwordMaxLength,
    passwordLevel,
  }
}

export async function testMailDuringSetup(
  ctx: Context,
  { token, ...test }: z.output<typeof testSetupMail.body>,
): Promise<TestResult> {
  await requireOpenSetup(ctx, token)
  return await testMail(ctx, test)
}

export async function testSmsDuringSetup(
  ctx: Context,
  { token, ...test }: z.output<typeof testSetupSms.body>,
): Promise<TestResult> {
  await requireOpenSetup(ctx, token)
  return await testSms(ctx, test)
}

type Completion = z.output<typeof completeSetup.body>

/** Creates the first administrator and names the institution, all or nothing; of parallel calls one succeeds. */
export async function finishSetup(ctx: Context, input: Completion): Promise<void> {
  await requireOpenSetup(ctx, input.token)
  const { account, name, password } = input.administrator
  if (await accountExists(ctx.db, account)) throw errors['setup.account-taken']()
  await assertStrongPassword(ctx, password, { category: null, administers: true, words: { account, names: [name] } })
  // Re-encoded before the transaction, which must be short.
  const { logo: sent } = input.institution
  const logo = sent ? await paintLogo(sent) : null
  try {
    await applyBootstrap(
      ctx,
      { users: [{ account, name, password, isSuperUser: true }] },
      { source: 'setup', inTransaction: (inner) => saveInstitution({ ...inner, client: ctx.client }, input, logo) },
    )
  } catch (error) {
    if (error instanceof BootstrapError) throw errors['setup.account-taken']()
    throw error
  }
}

async function saveInstitution(
  ctx: Context,
  { administrator, institution, mail, sms }: Completion,
  logo: EncodedPicture | null,
): Promise<void> {
  if (!(await closeSetup(ctx))) throw errors['setup.closed']()
  const marks = logo ? await storeLogo(ctx, logo) : {}
  const { names, contacts } = institution
  const isGiven = (texts: object) => Object.keys(texts).length > 0
  // Empty fields keep what a bootstrap file may have set.
  const given = {
    ...(isGiven(names) && { names }),
    ...(isGiven(contacts) && { contacts }),
    ...marks,
  }
  const gateway = pickKeys(Gateway.partial().parse(given), Object.keys(given))
  await changeSettings(ctx, 'gateway', gateway, { actor: 'setup link' })
  if (mail) await storeGateway(ctx, 'mail', mail)
  if (sms) await storeGateway(ctx, 'sms', sms)
  const { account } = administrator
  const targetId = (await findUserId(ctx.db, account)) ?? account
  await recordAudit(ctx, { action: 'setup.complete', targetKind: 'user', targetId, actor: 'setup link' })
}

const pickKeys = (document: object, keys: string[]) =>
  Object.fromEntries(Object.entries(document).filter(([key]) => keys.includes(key)))
