import { INSIGHT_KEYS, type StoredInsightSettings, type updateInsightSettings } from '#shared/contract/log-insights.ts'
import { errors as common } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { findSettingsDocument } from '../../platform/settings.ts'
import { editSettings } from '../settings/index.ts'
import { SETTINGS_DOCUMENT } from './insight-search.service.ts'

export async function describeSettings(ctx: Context): Promise<StoredInsightSettings> {
  const { version, value, fileKeys } = await findSettingsDocument(ctx.db, SETTINGS_DOCUMENT)
  return { version, values: value, setByFile: INSIGHT_KEYS.filter((key) => fileKeys.includes(key)) }
}

/** @throws Refusal `version.conflict` with what is stored now, `settings.set-by-file`. */
export async function changeSettings(
  ctx: Context,
  { version, changes, reset }: Input<typeof updateInsightSettings>['body'],
): Promise<StoredInsightSettings> {
  return await transaction(ctx, async (inner) => {
    const isSaved = await editSettings(inner, SETTINGS_DOCUMENT, { version, changes, reset })
    const current = await describeSettings(inner)
    if (!isSaved) throw common['version.conflict']({ data: { current } })
    return current
  })
}
