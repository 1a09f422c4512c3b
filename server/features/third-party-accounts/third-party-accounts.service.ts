import type { FastifyRequest } from 'fastify'
import { v7 } from 'uuid'
import type { z } from 'zod'
import type {
  completeThirdPartyAccount,
  listThirdPartyAccounts,
  queryPendingThirdPartyAccount,
} from '#shared/contract/third-party-accounts.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { notifyPerson } from '../messages/index.ts'
import { requireReauthentication } from '../reauthentication/index.ts'
import { recordAudit } from '../records/index.ts'
import { browserIdOf } from '../sessions/index.ts'
import { isProviderEnabled, listProviders, type Provider, requireProvider } from '../third-party-providers/index.ts'
import { maskDisplayName } from './masked-name.rules.ts'
import {
  consumePendingBinding,
  invalidatePendingBindings,
  isProvedByLogin,
  loadPendingBinding,
  type PendingBinding,
} from './pending-binding.service.ts'
import { startFlow } from './provider-flow.service.ts'
import { errors } from './third-party-accounts.errors.ts'
import {
  deleteAccount,
  forgetUnlinking,
  insertAccount,
  listAccountRows,
  loadLoginMethods,
  lockPerson,
  mayBeMatched,
  rememberUnlinking,
} from './third-party-accounts.store.ts'

/** Every enabled provider, and a disabled one as long as the person is linked there. */
export async function listAccounts(ctx: Context): Promise<z.input<typeof listThirdPartyAccounts.output>> {
  const { userId } = callerOf(ctx)
  const [known, rows, methods] = await Promise.all([
    listProviders(ctx),
    listAccountRows(ctx.db, userId),
    loadLoginMethods(ctx.db, userId),
  ])
  const byProvider = new Map(rows.map((row) => [row.providerId, row]))
  const records = known.flatMap(({ id, key, name, names, enabled }) => {
    const row = byProvider.get(id)
    if (!enabled && !row) return []
    const bound = row && {
      displayName: maskDisplayName(row.displayName),
      boundAt: row.boundAt.toISOString(),
      lastUsedAt: toIso(row.lastUsedAt),
      isLastMethod: isLastLoginMethod(methods, id),
    }
    return [{ provider: key, name, names, enabled, bound: bound ?? null }]
  })
  return { records, total: records.length }
}

/** A disabled method doesn't count, so it may be removed at any time. */
function isLastLoginMethod(methods: Awaited<ReturnType<typeof loadLoginMethods>>, providerId: string): boolean {
  return !methods.hasPassword && methods.providerIds.includes(providerId) && methods.providerIds.length === 1
}

/** @throws Refusal `reauthentication.required`, `third-party.unknown|already-bound|unavailable|unusable` */
export async function startBinding(
  ctx: Context,
  key: string,
  request: FastifyRequest,
): Promise<{ redirectUrl: string }> {
  await requireReauthentication(ctx)
  const { userId, ssoSessionId } = callerOf(ctx)
  const provider = await requireProvider(ctx, { key })
  const browser = browserIdOf(ctx.config, request)
  // A portal session without one was not opened by a browser of ours.
  if (browser === null) throw errors['third-party.flow-invalid']()
  if (await hasAccountAt(ctx, userId, provider.id)) throw errors['third-party.already-bound']()
  return { redirectUrl: await startFlow(ctx, provider, { browser, purpose: { kind: 'bind', userId, ssoSessionId } }) }
}

const hasAccountAt = async (ctx: Context, userId: string, providerId: string): Promise<boolean> =>
  (await listAccountRows(ctx.db, userId)).some((row) => row.providerId === providerId)

/** @throws Refusal `third-party.flow-invalid`, `third-party.unknown` */
export async function describePendingBinding(
  ctx: Context,
  code: string,
  request: FastifyRequest,
): Promise<z.input<typeof queryPendingThirdPartyAccount.output>> {
  const pending = await loadPendingBinding(ctx, request, code)
  const { key, name, names } = await requireProvider(ctx, { id: pending.providerId })
  const displayName = maskDisplayName(pending.displayName)
  return { provider: key, name, names, displayName, begunHere: pending.begunBy !== null }
}

/**
 * Links what waits under a code to the person of this session.
 * @throws Refusal `reauthentication.required`, `third-party.flow-invalid|unknown|already-bound|taken`
 */
export async function completeBinding(
  ctx: Context,
  code: string,
  request: FastifyRequest,
): Promise<z.input<typeof completeThirdPartyAccount.output>> {
  const pending = await loadPendingBinding(ctx, request, code)
  if (!(await isProvedByLogin(ctx, pending))) await requireReauthentication(ctx)
  await consumePendingBinding(ctx, code)
  const provider = await requireProvider(ctx, { id: pending.providerId })
  await transaction(ctx, (inner) => bindAccount(inner, provider, { ...pending, userId: callerOf(inner).userId }))
  return { name: provider.name, names: provider.names, next: pending.next }
}

export type BindingInput = Pick<PendingBinding, 'realm' | 'subject' | 'displayName'> & { userId: string }

/** Inside a transaction. @throws Refusal `third-party.unknown|already-bound|taken` */
export async function bindAccount(
  ctx: Context,
  provider: Provider,
  { userId, ...binding }: BindingInput,
): Promise<void> {
  await lockPerson(ctx.db, userId)
  // The cache may not have noticed yet that it was disabled.
  if (!(await isProviderEnabled(ctx.db, provider.id))) throw errors['third-party.flow-invalid']()
  if (await hasAccountAt(ctx, userId, provider.id)) throw errors['third-party.already-bound']()
  // By the provider's word alone, if an administrator trusts it that far.
  const matched = !ctx.caller
  if (matched && !(await mayBeMatched(ctx.db, userId, provider.id))) throw errors['third-party.taken']()
  const account = { ...binding, id: v7(), userId, providerId: provider.id, matched, at: ctx.now() }
  if (!(await insertAccount(ctx.db, account))) throw errors['third-party.taken']()
  if (!matched) await forgetUnlinking(ctx.db, userId, provider.id)
  await recordAudit(ctx, {
    action: 'third-party.bind',
    targetKind: 'user',
    targetId: userId,
    after: { provider: provider.name, name: maskDisplayName(binding.displayName) },
    ...(matched && { actor: `provider ${provider.key}` }),
  })
  await notifyPerson(ctx, { userId, template: 'notice.third-party-bound' })
}

/**
 * Unlinks until the person links an account there again themselves: automatic linking passes them over.
 * @throws Refusal `reauthentication.required`, `third-party.unknown|not-bound|last-method`
 */
export async function unbindAccount(ctx: Context, key: string): Promise<null> {
  await requireReauthentication(ctx)
  const { userId } = callerOf(ctx)
  // A disabled one too: nobody must stay linked against their will.
  const provider = (await listProviders(ctx)).find((one) => one.key === key)
  if (!provider) throw errors['third-party.not-bound']()
  await invalidatePendingBindings(ctx, userId, provider.id)
  await transaction(ctx, async (inner) => {
    await lockPerson(inner.db, userId)
    if (isLastLoginMethod(await loadLoginMethods(inner.db, userId), provider.id))
      throw errors['third-party.last-method']()
    const deleted = await deleteAccount(inner.db, userId, provider.id)
    if (!deleted) throw errors['third-party.not-bound']()
    await rememberUnlinking(inner.db, userId, provider.id, inner.now())
    await recordAudit(inner, {
      action: 'third-party.unbind',
      targetKind: 'user',
      targetId: userId,
      before: { provider: provider.name, name: maskDisplayName(deleted.displayName) },
    })
    await notifyPerson(inner, { userId, template: 'notice.third-party-unbound' })
  })
  return null
}
