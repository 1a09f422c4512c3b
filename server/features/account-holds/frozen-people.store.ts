import type { FrozenPerson } from '#shared/contract/account-holds.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'
import { freezeStart } from '../people-list/index.ts'
import { heldPersonColumns, heldPersonJoins } from './held-people.store.ts'

type FrozenRow = Omit<FrozenPerson, 'phase' | 'from' | 'until'> & { startsAt: Date; from: Date; until: Date | null }

/** The frozen people of a page, in the order of the ids. */
export const listFrozenRows = (db: Db, ids: readonly string[], language: Language) => db<FrozenRow[]>`
  select ${heldPersonColumns(db, language)}, u.frozen_from as starts_at, ${freezeStart(db)} as "from", u.frozen_until as until, u.freeze_cause as cause,
    u.freeze_reason as reason, u.freeze_note as note, (select a.name from users a where a.id = u.frozen_by) as by
  ${heldPersonJoins(db, ids)} where u.frozen_from is not null order by p.position`
