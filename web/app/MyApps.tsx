import { Suspense } from 'react'
import { RecoveryAdvice } from '../features/account-security/RecoveryAdvice.tsx'
import { type HomeSlots, MyAppsPage } from '../features/applications/MyAppsPage.tsx'
import { lazyPart } from '../platform/lazy-part.ts'

const AnnouncementList = lazyPart(() => import('../features/home-page/AnnouncementList.tsx'), 'AnnouncementList')
const Carousel = lazyPart(() => import('../features/home-page/Carousel.tsx'), 'Carousel')

const SLOTS: HomeSlots = {
  advice: <RecoveryAdvice />,
  announcements: (announcements, onRead) => (
    <Suspense>
      <AnnouncementList announcements={announcements} onRead={onRead} />
    </Suspense>
  ),
  carousel: (slides) => (
    <Suspense>
      <Carousel slides={slides} />
    </Suspense>
  ),
}

/** My applications, with the parts that other features contribute. */
export const MyApps = () => <MyAppsPage slots={SLOTS} />
