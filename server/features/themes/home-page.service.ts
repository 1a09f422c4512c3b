import type { StoredHomePage, updateManagePageConfig } from '#shared/contract/home-page.ts'
import { errors as common } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { describeHomePage } from '../appearance/index.ts'
import { keepThemePicture } from '../files/index.ts'
import { editSettings } from '../settings/index.ts'
import { errors } from './themes.errors.ts'

/** @throws Refusal `version.conflict` with the stored values, `settings.set-by-file`, `theme.unknown-picture`. */
export const changeHomePage = (
  ctx: Context,
  { version, changes }: Input<typeof updateManagePageConfig>['body'],
): Promise<StoredHomePage> =>
  transaction(ctx, async (inner) => {
    for (const [at, { picture }] of (changes.carousel ?? []).entries())
      if (!(await keepThemePicture(inner, picture)))
        throw errors['theme.unknown-picture']({ data: { fields: [`changes.carousel.${at}.picture`] } })
    const isSaved = await editSettings(inner, 'homePage', { version, changes, reset: [] })
    const current = await describeHomePage(inner)
    if (!isSaved) throw common['version.conflict']({ data: { current } })
    return current
  })
