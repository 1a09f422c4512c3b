import { DirectorySyncSettings } from '#shared/contract/sync-switch.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'
import { changeSettings } from '../settings/index.ts'
import { errors } from './directory-syncs.errors.ts'

const DOCUMENT = 'directorySyncs'

export const syncSwitch = (ctx: Context) => readSettings(ctx, DOCUMENT, DirectorySyncSettings)

/** Pauses or resumes all syncs. @throws Refusal `settings.set-by-file`. */
export async function setSyncSwitch(ctx: Context, isPaused: boolean): Promise<{ isPaused: boolean }> {
  await transaction(ctx, (inner) => changeSettings(inner, DOCUMENT, { isPaused }))
  return { isPaused }
}

/** @throws Refusal `directory-sync.paused`. */
export async function refusePaused(ctx: Context): Promise<void> {
  if ((await syncSwitch(ctx)).isPaused) throw errors['directory-sync.paused']()
}
