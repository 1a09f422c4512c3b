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
import type { Context, Platform } from '../../platform/platform.ts'
import { applyBootstrap, BootstrapError } from '../bootstrap/index.ts'
import { addressOf, type Painted, repaint, savePicture } from '../files/index.ts'
import { storeGateway, testMail, testSms } from '../messages/index.ts'
import { refuseWeakPassword } from '../passwords/index.ts'
import { recordAudit } from '../records/index.ts'
import { changeSettings } from '../settings/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { userIdOf } from './administrator.store.ts'
import { errors } from './setup.errors.ts'
import { accountExists, addLink, closeForEver, hasSuperUser, setupState } from './setup.store.ts'

/** Nodes that start together each print a link; all of them open the same door. */
const MOST_LINKS = 5
const LOGO = { side: 256, fit: 'inside', kinds: ['png', 'jpeg', 'webp'] } as const

const hashOf = (token: string) => sha256(token).toString('base64url')

/**
 * Called at each start: without any super user it makes a one-time link; with one it ends setup for ever, so that it does
 * not open again when that super user is deleted.
 * @returns the link to print, or null.
 */
export async function openSetup(platform: Platform): Promise<string | null> {
  const { sql, now, config } = platform
  if ((await setupState(sql))?.closedAt) return null
  if (await hasSuperUser(sql)) {
    await closeForEver(sql, now())
    return null
  }
  const token = randomToken(43)
  const open = await addLink(sql, hashOf(token), MOST_LINKS, now())
  // Behind #, where neither a log nor a Referer sees it.
  return open ? `${config.publicUrl}/auth_web/setup#${token}` : null
}

async function refuseUnlessOpen(ctx: Context, token: string): Promise<void> {
  const state = await setupState(ctx.db)
  if (!state || state.closedAt || (await hasSuperUser(ctx.db))) throw errors['setup.closed']()
  if (!state.links.includes(hashOf(token))) throw errors['setup.link-invalid']()
}

export async function describeSetup(ctx: Context, token: string): Promise<z.input<typeof setupStateCall.output>> {
  await refuseUnlessOpen(ctx, token)
  const { passwordMinLength, passwordMaxLength, passwordLevel } = await signInPolicy(ctx)
  const { publicUrl } = ctx.config
  return { publicUrl, https: publicUrl.startsWith('https:'), passwordMinLength, passwordMaxLength, passwordLevel }
}

export async function tryMail(
  ctx: Context,
  { token, ...test }: z.output<typeof testSetupMail.body>,
): Promise<TestResult> {
  await refuseUnlessOpen(ctx, token)
  return await testMail(ctx, test)
}

export async function trySms(
  ctx: Context,
  { token, ...test }: z.output<typeof testSetupSms.body>,
): Promise<TestResult> {
  await refuseUnlessOpen(ctx, token)
  return await testSms(ctx, test)
}

type Completion = z.output<typeof completeSetup.body>

/** Creates the first administrator and names the institution, all or nothing; of parallel calls one succeeds. */
export async function finishSetup(ctx: Context, input: Completion): Promise<void> {
  await refuseUnlessOpen(ctx, input.token)
  const { account, name, password } = input.administrator
  if (await accountExists(ctx.db, account)) throw errors['setup.account-taken']()
  await refuseWeakPassword(ctx, password, { account, names: [name] })
  // Painted before the transaction, which must be short.
  const { logo: sent } = input.institution
  const logo = sent ? await repaint(Buffer.from(sent, 'base64'), LOGO) : null
  try {
    await applyBootstrap(
      ctx,
      { users: [{ account, name, password, isSuperUser: true }] },
      { source: 'setup', alongside: (inner) => closeBehind({ ...inner, client: ctx.client }, input, logo) },
    )
  } catch (error) {
    if (error instanceof BootstrapError) throw errors['setup.account-taken']()
    throw error
  }
}

async function closeBehind(
  ctx: Context,
  { administrator, institution, mail, sms }: Completion,
  logo: Painted | null,
): Promise<void> {
  if (!(await closeForEver(ctx.db, ctx.now()))) throw errors['setup.closed']()
  const picture = logo ? addressOf(await savePicture(ctx, logo)) : null
  const { names, contacts } = institution
  const given = { names, contacts, ...(picture && { logo: picture, pageLabelLogo: picture }) }
  const gateway = pick(Gateway.partial().parse(given), Object.keys(given))
  await changeSettings(ctx, 'gateway', gateway, { actor: 'setup link' })
  if (mail) await storeGateway(ctx, 'mail', mail)
  if (sms) await storeGateway(ctx, 'sms', sms)
  const { account } = administrator
  const targetId = (await userIdOf(ctx.db, account)) ?? account
  await recordAudit(ctx, { action: 'setup.complete', targetKind: 'user', targetId, actor: 'setup link' })
}

const pick = (document: object, keys: string[]) =>
  Object.fromEntries(Object.entries(document).filter(([key]) => keys.includes(key)))
