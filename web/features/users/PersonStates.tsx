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
export function PersonState({ details }: { details: PersonStateDetails }) {
  const { t } = useTranslation()
  const { state, since, until } = details
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
export function PersonStates({ states, plannedFreeze }: Pick<UserDetails, 'states' | 'plannedFreeze'>) {
  const { t } = useTranslation()
  return (
    <ul className="person-states">
      {states.map((details) => (
        <li key={details.state}>
          <PersonState details={details} />
          {details.since && (
            <span className="muted">
              {t('person.since')} <Time value={details.since} />
            </span>
          )}
          {details.byDormancy && <span className="muted">{t('person.by-dormancy')}</span>}
          {details.byFailures && <span className="muted">{t('person.by-failures')}</span>}
          {details.reason && <span className="muted">{details.reason}</span>}
          {details.note && <span className="muted">{t('freeze.note-is', { note: details.note })}</span>}
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
