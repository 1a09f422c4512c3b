import { MessageLimits } from '#shared/contract/message-gateways.ts'
import { AppearanceSettings, type Banner } from '#shared/contract/themes.ts'
import { dayIn } from '#shared/rules/theme-schedule.ts'
import type { Platform } from '../../platform/platform.ts'
import { readableByKey, readSettings } from '../../platform/settings.ts'

const Readable = readableByKey(AppearanceSettings)

export const loadAppearance = (platform: Platform): Promise<AppearanceSettings> =>
  readSettings(platform, 'appearance', Readable)

const DEFAULT_ZONE = MessageLimits.parse({}).timeZone

/** Today's date in the institution's time zone, such as `2026-10-01`. */
export async function findToday(platform: Platform): Promise<string> {
  const zone = await readSettings(platform, 'messages', MessageLimits).then(
    ({ timeZone }) => timeZone,
    // Gateway settings must not break any page.
    () => DEFAULT_ZONE,
  )
  return dayIn(zone, platform.now())
}

/** The banner shown now on the login page and the first page of the portal. */
export async function findBanner(platform: Platform): Promise<Banner | null> {
  const { banner } = await loadAppearance(platform)
  if (!banner) return null
  const now = platform.now()
  const isOn = (!banner.from || new Date(banner.from) <= now) && (!banner.until || now < new Date(banner.until))
  return isOn ? banner : null
}
