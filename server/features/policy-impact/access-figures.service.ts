import type { RuleOutcome } from '#shared/contract/access-rules.ts'
import type { AccessFigureKey, ImpactFigure, ImpactRow } from '#shared/contract/policy-impact.ts'
import type { Context } from '../../platform/platform.ts'
import type { ReplayedPlace } from './places.types.ts'
import { listPeople } from './policy-impact.store.ts'
import type { Replayed } from './replay.service.ts'

/** The primary effect of an added rule on logins. */
export const FIGURE_OF: Readonly<Record<RuleOutcome, AccessFigureKey>> = {
  refuse: 'logins-refused',
  'second-factor': 'logins-factor',
  captcha: 'logins-captcha',
  notify: 'logins-notified',
}

/** Figures that are not zero. @param likely used instead if nothing was found when time was up */
export async function toFigures(
  ctx: Context,
  { tallies, appIds, lookedBackTo, isAll }: Replayed,
  likely: AccessFigureKey,
): Promise<ImpactFigure[]> {
  const found = [...tallies].filter(([, { count }]) => count > 0)
  const shown = found.flatMap(([, { latest }]) => latest)
  const ids = [...new Set(shown.map(({ login }) => login.userId))]
  const people = new Map((await listPeople(ctx.db, ids)).map((person) => [person.id, person]))
  const reported = found.length > 0 || isAll ? found : [...tallies].filter(([key]) => key === likely)
  return reported.map(([key, { count, people: all, latest }]) => ({
    key,
    field: null,
    count,
    people: all.size,
    isAtLeast: !isAll,
    lookedBackTo: lookedBackTo.toISOString(),
    rows: latest.flatMap(({ login: { at, userId, ip, applicationId }, places: { before, after } }): ImpactRow[] => {
      const person = people.get(userId)
      const application = (applicationId && appIds.get(applicationId)?.name) ?? null
      const places = key === 'logins-place' ? { before: toPlace(before), after: toPlace(after) } : null
      return person ? [{ person, at: at.toISOString(), typed: null, ip, application, places }] : []
    }),
  }))
}

const toPlace = ({ rangeKind: kind, name }: ReplayedPlace) => (kind === null ? null : { name, kind })
