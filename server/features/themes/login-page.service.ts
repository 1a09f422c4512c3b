import { LoginPageSettings, type StoredLoginPage, type updateLoginPageConfig } from '#shared/contract/login-page.ts'
import { errors as common } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { findSettingsDocument } from '../../platform/settings.ts'
import { loadLoginPage } from '../appearance/index.ts'
import { editSettings } from '../settings/index.ts'

const DOCUMENT = 'loginPage'

export async function describeLoginPage(ctx: Context): Promise<StoredLoginPage> {
  const { version, value, fileKeys } = await findSettingsDocument(ctx.db, DOCUMENT)
  const parsed = LoginPageSettings.safeParse(value)
  // Unreadable settings are returned as the page shows them.
  return { version, values: parsed.success ? parsed.data : await loadLoginPage(ctx), setByFile: fileKeys }
}

/** @throws Refusal `version.conflict` with the stored values, `settings.set-by-file`. */
export const changeLoginPage = (
  ctx: Context,
  { version, changes }: Input<typeof updateLoginPageConfig>['body'],
): Promise<StoredLoginPage> =>
  transaction(ctx, async (inner) => {
    const isSaved = await editSettings(inner, DOCUMENT, { version, changes, reset: [] })
    const current = await describeLoginPage(inner)
    if (!isSaved) throw common['version.conflict']({ data: { current } })
    return current
  })
