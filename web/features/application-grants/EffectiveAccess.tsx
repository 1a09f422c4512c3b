import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { effectiveAccess, type Obstacle } from '#shared/contract/application-grants.ts'
import { call } from '../../platform/api.ts'
import { formatDateTime } from '../../platform/format-time.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { StateWord } from '../../ui/StateWord.tsx'
import { AccessPathList } from './AccessPathList.tsx'
import { ACCESS_KEY } from './grant-queries.ts'
import './access.css'

type Props = { userId: string; applicationId: string }

/** Why a person has an application, or why not; shown in a live region. */
export function EffectiveAccess({ userId, applicationId }: Props) {
  const { t, i18n } = useTranslation()
  const { data, isError, error, refetch } = useQuery({
    queryKey: [ACCESS_KEY, 'why', userId, applicationId, i18n.language],
    queryFn: ({ signal }) => call(effectiveAccess, { query: { userId, applicationId } }, { signal }),
  })
  if (isError) return <FailedBlock error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={3} />
  return (
    <section className="effective-access">
      <p>
        <AccessTag isGranted={data.granted} />{' '}
        <span>
          {data.person} ({data.account}) · {data.application}
        </span>
      </p>
      <ObstacleList obstacles={data.obstacles} />
      {data.until && (
        <p className="muted">{t('access.until', { until: formatDateTime(new Date(data.until), i18n.language) })}</p>
      )}
      {data.paths.length > 0 && (
        <>
          <h3>{t('access.paths')}</h3>
          <AccessPathList paths={data.paths} />
        </>
      )}
      {!data.granted && data.otherGrants !== null && data.otherGrants > 0 && (
        <p className="muted">{t('access.others', { count: data.otherGrants })}</p>
      )}
    </section>
  )
}

/** What keeps somebody from entering. */
export function ObstacleList({ obstacles }: { obstacles: readonly Obstacle[] }) {
  const { t } = useTranslation()
  if (obstacles.length === 0) return null
  return (
    <ul className="access-obstacles">
      {obstacles.map((one) => (
        <li key={one}>{t(`obstacle.${one}`)}</li>
      ))}
    </ul>
  )
}

export function AccessTag({ isGranted }: { isGranted: boolean }) {
  const { t } = useTranslation()
  return (
    <StateWord tone={isGranted ? 'well' : 'caution'}>{t(isGranted ? 'access.granted' : 'access.refused')}</StateWord>
  )
}
