import { useTranslation } from 'react-i18next'
import type { PersonStateDetails, UserDetails } from '#shared/contract/users.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import { serverNow } from '../../platform/server-clock.ts'
import { StateWord, type Tone } from '../../ui/StateWord.tsx'
import { Time } from '../../ui/Time.tsx'
import './users.css'

export const STATE_TONES: Record<PersonStateDetails['state'], Tone> = {
  enabled: 'well',
  inactive: 'quiet',
  locked: 'danger',
  disabled: 'danger',
  deleted: 'danger',
  dormant: 'caution',
  expired: 'caution',
  frozen: 'primary',
}

/** A state as a word with a dot, and its dates. */
export function PersonState({ standing }: { standing: PersonStateDetails }) {
  const { t } = useTranslation()
  const { state, since, until } = standing
  return (
    <StateWord tone={STATE_TONES[state]}>
      {t(`person-state.${state}`)}
      {until && state !== 'expired' ? (
        <span className="person-since">
          {t('person.until-time')} <Time value={until} />
        </span>
      ) : (
        state === 'dormant' &&
        since && <span className="person-since">{t('person.days', { count: daysSince(since) })}</span>
      )}
    </StateWord>
  )
}

const daysSince = (moment: string): number =>
  Math.max(0, Math.floor((serverNow() - new Date(moment).getTime()) / DAY_MS))

/** All states of a person and a freeze that begins later, with administrators' reasons. */
export function PersonStates({ standings, plannedFreeze }: Pick<UserDetails, 'standings' | 'plannedFreeze'>) {
  const { t } = useTranslation()
  return (
    <ul className="person-states">
      {standings.map((standing) => (
        <li key={standing.state}>
          <PersonState standing={standing} />
          {standing.since && (
            <span className="muted">
              {t('person.since')} <Time value={standing.since} />
            </span>
          )}
          {standing.byDormancy && <span className="muted">{t('person.by-dormancy')}</span>}
          {standing.byFailures && <span className="muted">{t('person.by-failures')}</span>}
          {standing.reason && <span className="muted">{standing.reason}</span>}
          {standing.note && <span className="muted">{t('freeze.note-is', { note: standing.note })}</span>}
        </li>
      ))}
      {plannedFreeze && (
        <li>
          <StateWord tone="quiet">
            {t('person.freeze-planned')} <Time value={plannedFreeze.from} />
          </StateWord>
          {plannedFreeze.until && (
            <span className="muted">
              {t('person.until-time')} <Time value={plannedFreeze.until} />
            </span>
          )}
          {plannedFreeze.reason && <span className="muted">{plannedFreeze.reason}</span>}
          {plannedFreeze.note && <span className="muted">{t('freeze.note-is', { note: plannedFreeze.note })}</span>}
        </li>
      )}
    </ul>
  )
}
