import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Overview } from '#shared/contract/overview.ts'
import { translateOr } from '../../platform/i18n.ts'
import { AppIcon } from '../../ui/AppIcon.tsx'
import { Panel } from './Panel.tsx'
import { useNumbers } from './use-numbers.ts'

type Bar = { key: string; name: ReactNode; value: number; note: string }

/** Named numbers with bars relative to the largest. */
function Bars({ bars, most }: { bars: readonly Bar[]; most: number }) {
  const { count } = useNumbers()
  return (
    <ul className="overview-bars">
      {bars.map(({ key, name, value, note }) => (
        <li key={key}>
          <span className="overview-bar-name">{name}</span>
          <span className="tabular">
            <strong>{count(value)}</strong> <span className="muted">{note}</span>
          </span>
          <span
            className="overview-bar"
            aria-hidden="true"
            style={{ '--part': most > 0 ? value / most : 0 } as CSSProperties}
          />
        </li>
      ))}
    </ul>
  )
}

export function TopApplications({ applications }: Pick<Overview, 'applications'>) {
  const { t } = useTranslation()
  const { count } = useNumbers()
  const bars = applications.map(({ id, visits, people, ...app }) => ({
    key: id,
    name: (
      <>
        <AppIcon app={app} />
        <span>{app.name}</span>
      </>
    ),
    value: visits,
    note: t('overview.by-people', { count: people, number: count(people) }),
  }))
  return (
    <Panel title={t('overview.applications')} note={t('overview.today')}>
      {bars.length > 0 ? (
        <Bars bars={bars} most={applications[0]?.visits ?? 0} />
      ) : (
        <p className="muted">{t('overview.applications.none')}</p>
      )}
    </Panel>
  )
}

const STATES = ['inactive', 'dormant', 'disabled', 'locked', 'frozen', 'expired'] as const

/** The states are independent: a person may be counted in two. */
export function PeopleStates({ people }: Pick<Overview, 'people'>) {
  const { t } = useTranslation()
  const { count, share } = useNumbers()
  if (!people) return null
  const bars = STATES.map((state) => ({
    key: state,
    name: t(`overview.state.${state}`),
    value: people[state],
    note: share(people[state], people.total),
  }))
  return (
    <Panel
      title={t('overview.states')}
      note={t('overview.people-in-all', { count: people.total, number: count(people.total) })}
    >
      <Bars bars={bars} most={Math.max(...bars.map(({ value }) => value))} />
    </Panel>
  )
}

export function LoginShares({ day: { places, loginTypes } }: { day: Overview }) {
  const { t } = useTranslation()
  const { share } = useNumbers()
  const total = places.onCampus + places.offCampus
  const note = (value: number) => share(value, total)
  const typeName = (authType: string) => translateOr(`auth-type.${authType}`, 'auth-type.unknown')
  const bars = [
    ...(['onCampus', 'offCampus'] as const).map((place) => ({
      key: place,
      name: t(place === 'onCampus' ? 'place.on-campus' : 'place.off-campus'),
      value: places[place],
      note: note(places[place]),
    })),
    ...loginTypes.slice(0, 5).map(({ authType, provider, logins }) => ({
      key: authType,
      name: provider ?? typeName(authType),
      value: logins,
      note: note(logins),
    })),
  ]
  return (
    <Panel title={t('overview.shares')} note={t('overview.today')}>
      <Bars bars={bars} most={total} />
    </Panel>
  )
}
