import {
  dismissInsight,
  insightSettings,
  reopenInsight,
  searchInsights,
  updateInsightSettings,
} from '#shared/contract/log-insights.ts'
import type { Api } from '../../platform/http/mount.ts'
import { changeSettings, describeSettings } from './insight-settings.service.ts'
import { changeDismissal, findPage } from './log-insights.service.ts'

export function mountLogInsights(api: Api): void {
  api.mount(searchInsights, (ctx, { query }) => findPage(ctx, query))
  api.mount(dismissInsight, (ctx, { query }) => changeDismissal(ctx, query.id, true))
  api.mount(reopenInsight, (ctx, { query }) => changeDismissal(ctx, query.id, false))
  api.mount(insightSettings, (ctx) => describeSettings(ctx))
  api.mount(updateInsightSettings, (ctx, { body }) => changeSettings(ctx, body))
}
