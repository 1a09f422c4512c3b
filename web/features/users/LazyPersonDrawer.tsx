import { type ComponentProps, Suspense } from 'react'
import { lazyPart } from '../../platform/lazy-part.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'

const PersonDrawer = lazyPart(() => import('./PersonDrawer.tsx'), 'PersonDrawer')

/** A person's drawer, loaded on demand, so that lists show sooner. */
export const LazyPersonDrawer = (props: ComponentProps<typeof PersonDrawer>) => (
  <Suspense fallback={<Skeleton lines={6} />}>
    <PersonDrawer {...props} />
  </Suspense>
)
