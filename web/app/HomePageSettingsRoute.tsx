import { Suspense } from 'react'
import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { HomePageSettingsPage } from '../features/setup/HomePageSettingsPage.tsx'
import { lazyPart } from '../platform/lazy-part.ts'
import { Skeleton } from '../ui/PageSkeleton.tsx'

const AnnouncementsPanel = lazyPart(() => import('../features/home-page/AnnouncementsPanel.tsx'), 'AnnouncementsPanel')

const historyOf = (id: string) => <HistoryTab kind="announcement" id={id} />

/** The layout of the home page and its announcements, with their change history. */
export const HomePageSettingsRoute = () => (
  <HomePageSettingsPage
    announcements={
      <Suspense fallback={<Skeleton lines={6} />}>
        <AnnouncementsPanel history={historyOf} />
      </Suspense>
    }
    history={<HistoryTab kind="settings" id="homePage" />}
  />
)
