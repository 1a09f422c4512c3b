import type { ChangeKind } from '#shared/contract/change-history.ts'
import { ChangeTimeline } from './ChangeTimeline.tsx'

/** The history of one thing of the back office, with the way back. */
export function HistoryTab({ kind, id }: { kind: ChangeKind; id: string }) {
  return <ChangeTimeline which={{ filter: { targetKind: kind, targetId: id } }} showsTarget={false} />
}

/** Everything that changed a person's account, by themselves or others. */
export function PersonHistoryTab({ userId }: { userId: string }) {
  return <ChangeTimeline which={{ userId }} showsTarget={false} />
}
