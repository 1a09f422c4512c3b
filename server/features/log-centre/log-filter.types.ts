import type { IpFilter } from '../../platform/list.ts'
import type { SaidRule } from '../access/index.ts'

export type Excluded = { name: string; value: string }

export type CommonFilter = {
  userId: string | null
  applicationId: string | null
  ip: IpFilter
  ipRange: string | null
  onCampus: boolean | null
  clientType: string | null
  session: string | null
  succeeded: boolean | null
  reason: string | null
  without: readonly Excluded[]
}
export type LoginFilter = CommonFilter & {
  account: string | null
  accountIs: string | null
  requestId: string | null
  authType: string | null
  factor: string | null
  browser: string | null
  device: string | null
  said: SaidFilter | null
}
/** Part of what a rule said. */
export type SaidFilter = Partial<SaidRule>
export type VisitFilter = CommonFilter & { entry: string | null; protocol: string | null }
