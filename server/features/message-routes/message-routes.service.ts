import {
  MESSAGE_ROUTES_KEYS,
  type StoredRoutes,
  type saveHttpChannel,
  type updateMessageRoutes,
} from '#shared/contract/message-routes.ts'
import { errors as common, Refusal } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { findSettingsDocument } from '../../platform/settings.ts'
import { changeHttpChannel, describeChannels, describeHttpChannel } from '../messages/index.ts'
import { editSettings } from '../settings/index.ts'

const DOCUMENT = 'messageRoutes'

/** The settings, with the current state of each channel. */
export async function describeMessageRoutes(ctx: Context): Promise<StoredRoutes> {
  const { version, value, fileKeys } = await findSettingsDocument(ctx.db, DOCUMENT)
  const setByFile = MESSAGE_ROUTES_KEYS.filter((key) => fileKeys.includes(key))
  return {
    version,
    values: value,
    setByFile,
    channels: await describeChannels(ctx),
    http: await describeHttpChannel(ctx),
  }
}

/**
 * Saves routes, quiet hours and quotas; every node applies them within a second.
 * @throws Refusal `version.conflict` with what is stored now, `settings.set-by-file`.
 */
export async function changeMessageRoutes(
  ctx: Context,
  { version, changes, reset }: Input<typeof updateMessageRoutes>['body'],
): Promise<StoredRoutes> {
  return await transaction(ctx, async (inner) => {
    const isSaved = await editSettings(inner, DOCUMENT, { version, changes, reset })
    const current = await describeMessageRoutes(inner)
    if (!isSaved) throw common['version.conflict']({ data: { current } })
    return current
  })
}

/** @throws Refusal `version.conflict` with what is stored now, `settings.set-by-file`, `settings.secret-needed`. */
export async function changeHttp(
  ctx: Context,
  { version, gateway }: Input<typeof saveHttpChannel>['body'],
): Promise<StoredRoutes> {
  try {
    await changeHttpChannel(ctx, version, gateway)
  } catch (error) {
    const isConflict = error instanceof Refusal && error.code === 'version.conflict'
    throw isConflict ? common['version.conflict']({ data: { current: await describeMessageRoutes(ctx) } }) : error
  }
  return await describeMessageRoutes(ctx)
}
