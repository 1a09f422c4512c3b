import type { LoginCheck } from '#shared/contract/login-check.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import { toIso } from '../../platform/iso-time.ts'
import type { Context } from '../../platform/platform.ts'
import { forSuperUsers, inScope, PORTAL_APP_ID } from '../access/index.ts'
import { findRuleDenials, judgeLogin, rulesAgainst } from '../attempts/index.ts'
import { listCoolingContacts } from '../contact-cooldown/index.ts'
import { findLoginDemands } from '../password-demands/index.ts'
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
  const refusedBy = rulesAgainst(await findRuleDenials(ctx, id), PORTAL_APP_ID)
  const denials = judgeLogin(now, person, refusedBy.everywhere.length > 0)
  return {
    obstacles: denials.map(({ reason, until }) => ({ reason, until: toIso(until) })),
    refusedBy,
    demands: await findLoginDemands(ctx, id),
    lastFailure:
      last && !last.succeeded
        ? { at: last.at.toISOString(), reason: last.reason ?? '', rules: last.rules, ip: forSuperUsers(ctx, last.ip) }
        : null,
    coolingContacts: (await listCoolingContacts(db, id, now)).map(({ kind, until }) => ({ kind, until: toIso(until) })),
    lastCode: code && { ...code, at: code.at.toISOString(), words: forSuperUsers(ctx, code.words) },
  }
}
