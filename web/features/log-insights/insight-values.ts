import {
  INSIGHT_KEYS,
  type InsightKey,
  type InsightKind,
  insightSettings,
  LogInsightSettings,
  type StoredInsightSettings,
  updateInsightSettings,
} from '#shared/contract/log-insights.ts'
import { call } from '../../platform/api.ts'

type KindsKey = 'insightKinds' | 'insightMessages'
export type NumberKey = Exclude<InsightKey, KindsKey>

/** As shown in the form: numbers as typed. */
export type InsightDraft = Record<KindsKey, InsightKind[]> & Record<NumberKey, string>

const toNumber = (text: string): number | string => (/^\d{1,12}$/.test(text.trim()) ? Number(text) : text)

export function toDraft({ values }: StoredInsightSettings): InsightDraft {
  const all = LogInsightSettings.parse(values)
  const given = Object.entries(all).map(([key, value]) => [key, typeof value === 'number' ? String(value) : value])
  return Object.fromEntries(given) as InsightDraft
}

const toValue = (draft: InsightDraft, key: InsightKey) => {
  const value = draft[key]
  return typeof value === 'string' ? toNumber(value) : value
}

export const loadSettings = (signal: AbortSignal): Promise<StoredInsightSettings> =>
  call(insightSettings, {}, { signal })

export function saveSettings(stored: StoredInsightSettings, draft: InsightDraft): Promise<StoredInsightSettings> {
  const before = toDraft(stored)
  const changed = INSIGHT_KEYS.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(draft[key]))
  const changes = Object.fromEntries(changed.map((key) => [key, toValue(draft, key)]))
  return call(updateInsightSettings, { body: { version: stored.version, changes, reset: [] } })
}
