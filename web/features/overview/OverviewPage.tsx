import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { GetStarted, GetStartedStep } from '#shared/contract/get-started.ts'
import { type Overview, queryOverview } from '#shared/contract/overview.ts'
import { call } from '../../platform/api.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { Time } from '../../ui/Time.tsx'
import { DayChart, TrendChart } from './DayCharts.tsx'
import { Figures } from './Figures.tsx'
import { FirstDayPanel, GetStartedCard, useGetStarted } from './GetStartedCard.tsx'
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
  const started = useGetStarted()
  return (
    <section className="overview" aria-labelledby="page-title">
      <header className="overview-head">
        <PageTitle>{t('overview.title')}</PageTitle>
        {data?.countedAt && (
          <p className="muted">
            {t('overview.counted')} <Time value={data.countedAt} />
            {!isSameClock(data.timeZone) && ` · ${t('overview.zone', { zone: data.timeZone })}`}
          </p>
        )}
      </header>
      {started.data && <GetStartedCard list={started.data} />}
      {data && !started.isPending ? (
        <OverviewContent day={data} isFirstDay={isOpen(started.data, 'people')} />
      ) : error ? (
        <FailedCard error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingCard />
      )}
    </section>
  )
}

/** Do days and hours of that zone begin at the same time as here? */
function isSameClock(zone: string): boolean {
  const now = new Date()
  const [here, there] = [undefined, zone].map((timeZone) => now.toLocaleString('sv-SE', { timeZone }))
  return here === there
}

const isOpen = (list: GetStarted | undefined, name: GetStartedStep): boolean =>
  list?.steps.some((step) => step.name === name && !step.isDone) ?? false

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

function OverviewContent({ day, isFirstDay }: { day: Overview; isFirstDay: boolean }) {
  const { t } = useTranslation()
  // Nobody can log in yet: the charts would be empty.
  if (isFirstDay) {
    return (
      <div className="overview-grid">
        <FirstDayPanel />
        <Todos todos={day.todos} />
        <Health day={day} />
      </div>
    )
  }
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
