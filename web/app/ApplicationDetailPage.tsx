import { useParams } from '@tanstack/react-router'
import { ApplicationInterfaces } from '../features/api-registry/ApplicationInterfaces.tsx'
import { ApplicationAccess } from '../features/application-grants/ApplicationAccess.tsx'
import { ApplicationDetail } from '../features/application-manage/ApplicationDetail.tsx'
import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { ApplicationStatistics } from '../features/overview/ApplicationStatistics.tsx'

/** One application, with the tabs that other features contribute. */
export function ApplicationDetailPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  return (
    <ApplicationDetail
      key={id}
      id={id}
      slots={{
        access: (app) => <ApplicationAccess {...app} />,
        interfaces: (app) => <ApplicationInterfaces applicationId={app.id} />,
        history: (app) => <HistoryTab kind="application" id={app.id} />,
        statistics: (app) => <ApplicationStatistics applicationId={app.id} />,
      }}
    />
  )
}
