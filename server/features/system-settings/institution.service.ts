import { Gateway } from '#shared/contract/appearance.ts'
import type { InstitutionDetails, updateInstitution } from '#shared/contract/system-settings.ts'
import type { Db } from '../../platform/db.ts'
import { errors as common } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { findSettingsDocument, readableByKey } from '../../platform/settings.ts'
import { type EncodedPicture, fileUrl, reencodePicture, savePicture } from '../files/index.ts'
import { editSettings } from '../settings/index.ts'

const DOCUMENT = 'gateway'
const LOGO = { side: 256, fit: 'inside', kinds: ['png', 'jpeg', 'webp'] } as const

/** Outside any transaction, which must be short. @throws Refusal `file.unreadable-picture`, `file.busy`. */
export const paintLogo = (base64: string): Promise<EncodedPicture> =>
  reencodePicture(Buffer.from(base64, 'base64'), LOGO)

type Marks = Pick<Gateway, 'logo' | 'pageLabelLogo'>

/** Former pictures stay, for a rollback. */
const storePicture = async (ctx: Context, picture: EncodedPicture): Promise<string> =>
  fileUrl(await savePicture(ctx, picture))

/** Stores a picture as the logo beside the name and as the favicon. */
export async function storeLogo(ctx: Context, picture: EncodedPicture): Promise<Marks> {
  const address = await storePicture(ctx, picture)
  return { logo: address, pageLabelLogo: address }
}

const Readable = readableByKey(Gateway)

/** An unreadable document is described as pages show it. */
export async function describeInstitution(ctx: Context): Promise<InstitutionDetails> {
  const { version, value, fileKeys } = await findSettingsDocument(ctx.db, DOCUMENT)
  return { version, values: Readable.parse(value), setByFile: fileKeys }
}

/** Absent: unchanged; null: none. */
type Painted = EncodedPicture | null | undefined

async function paint(base64: string | null | undefined): Promise<Painted> {
  if (base64) return await paintLogo(base64)
  return base64 === null ? null : undefined
}

const keep = async (ctx: Context, picture: Painted) => (picture ? await storePicture(ctx, picture) : picture)

/** The tab shows the logo until it has its own icon. @returns which of the two change */
async function changeMarks(ctx: Context, given: { logo: Painted; icon: Painted }): Promise<Partial<Marks>> {
  if (given.logo === undefined && given.icon === undefined) return {}
  const { values } = await describeInstitution(ctx)
  const [newLogo, newIcon] = [await keep(ctx, given.logo), await keep(ctx, given.icon)]
  const logo = newLogo === undefined ? values.logo : newLogo
  const own = values.pageLabelLogo === values.logo ? null : values.pageLabelLogo
  const icon = (newIcon === undefined ? own : newIcon) ?? logo
  return { ...(logo !== values.logo && { logo }), ...(icon !== values.pageLabelLogo && { pageLabelLogo: icon }) }
}

export const findInstitutionFileKeys = async (db: Db): Promise<string[]> =>
  (await findSettingsDocument(db, DOCUMENT)).fileKeys

/** @throws Refusal `version.conflict` with what is stored now, `settings.set-by-file`, and those of `paintLogo`. */
export async function changeInstitution(
  ctx: Context,
  { version, changes, logo, icon }: Input<typeof updateInstitution>['body'],
): Promise<InstitutionDetails> {
  const painted = { logo: await paint(logo), icon: await paint(icon) }
  return await transaction(ctx, async (inner) => {
    const marks = await changeMarks(inner, painted)
    const isSaved = await editSettings(inner, DOCUMENT, { version, changes: { ...changes, ...marks }, reset: [] })
    const current = await describeInstitution(inner)
    if (!isSaved) throw common['version.conflict']({ data: { current } })
    return current
  })
}
