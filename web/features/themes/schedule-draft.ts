import type { z } from 'zod'
import { type AppearanceSettings, changeSchedule, queryThemes } from '#shared/contract/themes.ts'
import { call } from '../../platform/api.ts'
import { useSettingsDraft } from '../../ui/use-settings-draft.ts'

export type Themes = z.output<typeof queryThemes.output>
export type Schedule = AppearanceSettings['schedule']
type Changes = Partial<Pick<AppearanceSettings, 'schedule' | 'banner'>>

/** Saves, and returns the stored state. */
export async function saveSchedule(version: number, changes: Changes): Promise<Themes> {
  await call(changeSchedule, { body: { version, changes } })
  return await call(queryThemes, {})
}

/** The draft of the part of the schedule that a tab edits. */
export const useScheduleDraft = <Value extends Changes>(toValue: (stored: Themes) => Value) =>
  useSettingsDraft<Themes, Value>({
    queryKey: ['themes'],
    load: (signal) => call(queryThemes, {}, { signal }),
    toValue,
    save: (stored, value) => saveSchedule(stored.version, value),
  })
