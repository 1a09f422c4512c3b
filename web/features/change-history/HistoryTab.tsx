import { type ComponentProps, Suspense } from 'react'
import type { ChangeKind } from '#shared/contract/change-history.ts'
import { lazyPart } from '../../platform/lazy-part.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'

const LazyTimeline = lazyPart(() => import('./ChangeTimeline.tsx'), 'ChangeTimeline')

const Timeline = (props: ComponentProps<typeof LazyTimeline>) => (
  <Suspense fallback={<Skeleton lines={4} />}>
    <LazyTimeline {...props} />
  </Suspense>
)

/** The history of one back-office object, with rollback. */
export function HistoryTab({ kind, id }: { kind: ChangeKind; id: string }) {
  return <Timeline which={{ filter: { targetKind: kind, targetId: id } }} showsTarget={false} />
}

/** Every change to a person's account, by themselves or others. */
export function PersonHistoryTab({ userId }: { userId: string }) {
  return <Timeline which={{ userId }} showsTarget={false} />
}
