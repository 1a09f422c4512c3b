import type { listUserRecords, listUserSessions } from '#shared/contract/user-verbs.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { forSuperUsers, isPersonVisible } from '../access/index.ts'
import { isReasonVisible } from '../records/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { listProviders } from '../third-party-providers/index.ts'
import { userErrors as errors } from '../user-accounts/index.ts'
import { pageOfRecords, pageOfSessions } from './activity.store.ts'

/** @throws Refusal `user.not-found` for a person out of scope. */
async function requirePersonInScope(ctx: Context, id: string): Promise<void> {
  if (!(await isPersonVisible(ctx, id, { includeDeleted: true }))) throw errors['user.not-found']()
}

/** The sessions of a person. @throws Refusal `user.not-found`, `list.too-deep`. */
export async function personSessionsPage(
  ctx: Context,
  { id, search, ...page }: Input<typeof listUserSessions>['query'],
) {
  await requirePersonInScope(ctx, id)
  const { sessionIdleMinutes } = await signInPolicy(ctx)
  const now = ctx.now()
  const live = { userId: id, now, idleSince: new Date(now.getTime() - sessionIdleMinutes * 60_000), search }
  const { records: rows, ...total } = await pageOfSessions(ctx.db, { ...live, language: ctx.client.language }, page)
  const { ssoSessionId } = callerOf(ctx)
  const records = rows.map(({ openedAt, lastSeenAt, ...row }) => ({
    ...row,
    loginTime: openedAt.toISOString(),
    lastSeen: lastSeenAt.toISOString(),
    current: row.id === ssoSessionId,
  }))
  return { records, ...total }
}

/** The records of a person. @throws Refusal `user.not-found`, `list.too-deep`. */
export async function personRecordsPage(ctx: Context, { id, kind, ...page }: Input<typeof listUserRecords>['query']) {
  await requirePersonInScope(ctx, id)
  const { records: rows, ...total } = await pageOfRecords(ctx.db, id, kind, page)
  const keyPrefix = kind === 'login' ? 'auth-type' : 'action'
  const { language } = ctx.client
  const providers = kind === 'login' ? await listProviders(ctx) : []
  const translateWhat = (what: string) => {
    const key = `${keyPrefix}.${what}`
    const text = ctx.translate(language, key)
    if (text !== key) return text
    const provider = providers.find((one) => one.key === what)
    return provider ? (provider.names[language] ?? provider.name) : what
  }
  const records = rows.map(({ isOwn, by, ip, detail, ...row }) => ({
    ...row,
    kind,
    detail: kind === 'login' || isOwn || isReasonVisible(row.what) ? detail : (forSuperUsers(ctx, detail) ?? ''),
    what: translateWhat(row.what),
    at: row.at.toISOString(),
    by: forSuperUsers(ctx, by),
    ip: isOwn ? ip : forSuperUsers(ctx, ip),
  }))
  return { records, ...total }
}
