import type { DormantPerson } from '#shared/contract/account-holds.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'
import { nextTermEnd, type Terms } from '../dormancy/index.ts'
import { closedState, type ExemptionColumns, exemptionColumns } from '../people-list/index.ts'
import { heldPersonColumns, heldPersonJoins } from './held-people.store.ts'

type DormantRow = Pick<DormantPerson, 'id' | 'account' | 'name' | 'organization' | 'category' | 'closedState'> &
  ExemptionColumns & { lastLoginAt: Date | null; dormantSince: Date | null; nextAt: Date | null }

/** The dormant, soon dormant or exempt people of a page, in the order of the ids. */
export const listDormantRows = (db: Db, ids: readonly string[], language: Language, terms: Terms) => db<DormantRow[]>`
  select ${heldPersonColumns(db, language)}, u.last_login_at, u.dormant_since,
    ${closedState(db, terms.at)} as closed_state,
    ${nextTermEnd(db, terms)} as next_at, ${exemptionColumns(db, terms.at)}
  ${heldPersonJoins(db, ids)} order by p.position`
