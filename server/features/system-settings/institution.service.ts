import { Gateway } from '#shared/contract/appearance.ts'
import type { InstitutionDetails, updateInstitution } from '#shared/contract/system-settings.ts'
import type { Db } from '../../platform/db.ts'
import { errors as common } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { findSettingsDocument } from '../../platform/settings.ts'
import { type EncodedPicture, fileUrl, reencodePicture, savePicture } from '../files/index.ts'
import { editSettings } from '../settings/index.ts'

const DOCUMENT = 'gateway'
const LOGO = { side: 256, fit: 'inside', kinds: ['png', 'jpeg', 'webp'] } as const

/** Outside any transaction, which must be short. @throws Refusal `file.unreadable-picture`, `file.busy`. */
export const paintLogo = (base64: string): Promise<EncodedPicture> =>
  reencodePicture(Buffer.from(base64, 'base64'), LOGO)

type Marks = Pick<Gateway, 'logo' | 'pageLabelLogo'>

/** Keeps a picture as the mark beside the name and in the browser's tab. The former one stays, for whoever rolls back. */
export async function storeLogo(ctx: Context, picture: EncodedPicture): Promise<Marks> {
  const address = fileUrl(await savePicture(ctx, picture))
  return { logo: address, pageLabelLogo: address }
}

const SHIPPED_MARKS: Marks = { logo: null, pageLabelLogo: null }

export async function describeInstitution(ctx: Context): Promise<InstitutionDetails> {
  const { version, value, fileKeys } = await findSettingsDocument(ctx.db, DOCUMENT)
  return { version, values: Gateway.parse(value), setByFile: fileKeys }
}

export const findInstitutionFileKeys = async (db: Db): Promise<string[]> =>
  (await findSettingsDocument(db, DOCUMENT)).fileKeys

/** @throws Refusal `version.conflict` with what is stored by now, `settings.set-by-file`, and those of `paintLogo`. */
export async function changeInstitution(
  ctx: Context,
  { version, changes, logo }: Input<typeof updateInstitution>['body'],
): Promise<InstitutionDetails> {
  const picture = logo ? await paintLogo(logo) : null
  return await transaction(ctx, async (inner) => {
    const marks = picture ? await storeLogo(inner, picture) : logo === null ? SHIPPED_MARKS : {}
    const isSaved = await editSettings(inner, DOCUMENT, { version, changes: { ...changes, ...marks }, reset: [] })
    const current = await describeInstitution(inner)
    if (!isSaved) throw common['version.conflict']({ data: { current } })
    return current
  })
}
