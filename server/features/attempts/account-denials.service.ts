import type { Context } from '../../platform/platform.ts'
import { type AccountFacts, accountFactColumns } from '../access/index.ts'
import { loginHoldColumns } from './attempts.store.ts'
import { judgeLogin, type LoginDenial, type LoginHolds } from './login-judgement.rules.ts'

/** Why a login at that moment would be refused whatever the access rules say. */
export async function findAccountDenials({ db }: Context, userId: string, at: Date): Promise<LoginDenial[]> {
  const [row] = await db<(AccountFacts & LoginHolds)[]>`
    select ${accountFactColumns(db)}, ${loginHoldColumns(db, at)} from users u where u.id = ${userId}`
  return row ? judgeLogin(at, row, false) : []
}
