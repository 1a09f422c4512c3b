import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Overview, queryOverview } from '#shared/contract/overview.ts'
import { call } from '../../platform/api.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { Time } from '../../ui/Time.tsx'
import { DayChart, TrendChart } from './DayCharts.tsx'
import { Figures } from './Figures.tsx'
import { Health } from './Health.tsx'
import { LoginShares, PeopleStates, TopApplications } from './Shares.tsx'
import { Todos } from './Todos.tsx'
import './overview.css'

const REFRESH_INTERVAL_MS = 60_000

/** The day at a glance. */
export function OverviewPage() {
  const { t, i18n } = useTranslation()
  const key = ['overview', i18n.language]
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal, client }) =>
      call(queryOverview, {}, { signal, background: client.getQueryData(key) !== undefined }),
    refetchInterval: REFRESH_INTERVAL_MS,
  })
  return (
    <section className="overview" aria-labelledby="page-title">
      <header className="overview-head">
        <PageTitle>{t('overview.title')}</PageTitle>
        {data?.countedAt && (
          <p className="muted">
            {t('overview.counted')} <Time value={data.countedAt} timeZone={data.timeZone} />
          </p>
        )}
      </header>
      {data ? (
        <OverviewContent day={data} />
      ) : error ? (
        <FailedCard error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingCard />
      )}
    </section>
  )
}

const FailedCard = (props: { error: unknown; onRetry: () => void }) => (
  <div className="card">
    <FailedBlock {...props} />
  </div>
)

const LoadingCard = () => (
  <div className="card overview-card">
    <Skeleton lines={8} />
  </div>
)

function OverviewContent({ day }: { day: Overview }) {
  const { t } = useTranslation()
  return (
    <>
      {!day.countedAt && (
        <p className="banner" role="status">
          {t('overview.not-counted')}
        </p>
      )}
      <Figures day={day} />
      <div className="overview-grid">
        <DayChart day={day} />
        <Todos todos={day.todos} />
        <TrendChart day={day} />
        <TopApplications applications={day.applications} />
        <PeopleStates people={day.people} />
        <LoginShares day={day} />
        <Health day={day} />
      </div>
    </>
  )
}
