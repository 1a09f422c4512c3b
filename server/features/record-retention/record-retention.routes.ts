import { recordRetention } from '#shared/contract/record-retention.ts'
import type { Api } from '../../platform/http/mount.ts'
import { describeRetention } from './record-retention.service.ts'

export function mountRecordRetention(api: Api): void {
  api.mount(recordRetention, (ctx) => describeRetention(ctx))
}
