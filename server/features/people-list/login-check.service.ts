import type { LoginCheck } from '#shared/contract/login-check.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { inScope } from '../access/index.ts'
import { judgeLogin } from '../attempts/index.ts'
import { listCoolingContacts } from '../contact-cooldown/index.ts'
import { userErrors as errors } from '../user-accounts/index.ts'
import { findJudged, findLastCode, findLastTry } from './login-check.store.ts'

/** Why a person can't log in, by the same code that judges logins. @throws Refusal `user.not-found`, also out of scope. */
export async function getLoginCheck(ctx: Context, id: string): Promise<LoginCheck> {
  const { db } = ctx
  const now = ctx.now()
  const person = await findJudged(db, { id, now, visible: inScope(ctx, db`u.organization_id`) })
  if (!person) throw errors['user.not-found']()
  const last = await findLastTry(db, id, person.lastLoginAt)
  const code = await findLastCode(db, id, new Date(now.getTime() - DAY_MS))
  const { isSuperUser } = callerOf(ctx)
  return {
    obstacles: judgeLogin(now, person).map(({ reason, until }) => ({ reason, until: toIso(until) })),
    lastFailure:
      last && !last.succeeded
        ? { at: last.at.toISOString(), reason: last.reason ?? '', rules: last.rules, ip: isSuperUser ? last.ip : null }
        : null,
    coolingContacts: (await listCoolingContacts(db, id, now)).map(({ kind, until }) => ({ kind, until: toIso(until) })),
    lastCode: code && { ...code, at: code.at.toISOString(), words: isSuperUser ? code.words : null },
  }
}
