import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type GrantImpactChange, grantImpact } from '#shared/contract/application-grants.ts'
import { call } from '../../platform/api.ts'
import { useCount } from '../../platform/format-number.ts'
import { GRANTS_KEY } from './grant-queries.ts'

type Props = {
  apps: readonly { appId: string; name: string }[]
  memberIds: readonly string[]
  change: GrantImpactChange
}

/** More names are too much to read before a click. */
const MAX_APPS = 5
const MAX_MEMBERS = 50

/** How many people gain or lose applications, and who, before it happens. */
export function GrantImpact({ apps, memberIds, change }: Props) {
  if (apps.length === 0 || memberIds.length === 0 || memberIds.length > MAX_MEMBERS) return null
  return (
    <div className="grant-impact" aria-live="polite">
      {apps.slice(0, MAX_APPS).map(({ appId, name }) => (
        <ImpactLine key={appId} appId={appId} name={name} memberIds={memberIds} change={change} />
      ))}
    </div>
  )
}

function ImpactLine({ appId, name, memberIds, change }: Omit<Props, 'apps'> & { appId: string; name: string }) {
  const { t } = useTranslation()
  const number = useCount()
  const { data, error } = useQuery({
    queryKey: [GRANTS_KEY, 'impact', appId, memberIds.join(','), change],
    queryFn: ({ signal }) =>
      call(grantImpact, { query: { appId, memberIds: memberIds.join(','), change } }, { signal }),
    staleTime: 0,
    // An earlier answer must not hide a failure.
    gcTime: 0,
  })
  if (error) return <p className="muted">{t('grant.impact.failed', { name })}</p>
  // For its room; only the answer is announced.
  if (!data) {
    return (
      <p className="muted" aria-hidden="true">
        {t('state.loading')}
      </p>
    )
  }
  const { total, totalIsLowerBound, people } = data
  const words = t(`grant.impact.${change}`, { count: total, number: number(total, totalIsLowerBound), name })
  if (people.length === 0) return <p>{words}</p>
  return (
    <details>
      <summary>{words}</summary>
      <ul>
        {people.map(({ id, account, name: person, organization }) => (
          <li key={id}>
            {t('person.named', { name: person, account })}
            {organization && <span className="muted"> · {organization}</span>}
          </li>
        ))}
      </ul>
      {total > people.length && <p className="muted">{t('grant.impact.more')}</p>}
    </details>
  )
}
