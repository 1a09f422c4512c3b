export { deleteOldInsights, lookForInsights } from './log-insights.jobs.ts'
export { mountLogInsights } from './log-insights.routes.ts'
