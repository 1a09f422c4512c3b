import type { z } from 'zod'
import {
  AppearanceSettings,
  type changeSchedule,
  type chooseTheme,
  type createTheme,
  MAX_THEMES,
  type publishTheme,
  type queryThemes,
  type Theme,
  ThemeFields,
  type updateTheme,
  type WeakPair,
} from '#shared/contract/themes.ts'
import { measurePairs } from '#shared/rules/contrast-pairs.ts'
import { isShippedTheme, SHIPPED_CODES, SHIPPED_THEMES, type ShippedTheme } from '#shared/rules/shipped-themes.ts'
import type { ThemeDesign } from '#shared/rules/theme-design.ts'
import { errors as common } from '../../platform/errors.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { findSettingsDocument, readableByKey } from '../../platform/settings.ts'
import { findPublishedDesign, findToday } from '../appearance/index.ts'
import { keepThemePicture } from '../files/index.ts'
import { countNamed, lockResource, resourceService } from '../resources/index.ts'
import { editSettings } from '../settings/index.ts'
import { errors } from './themes.errors.ts'
import { type ThemeInput, type ThemeQuery, themesStore } from './themes.store.ts'

const DOCUMENT = 'appearance'

const ReadableAppearance = readableByKey(AppearanceSettings)

const service = resourceService<ThemeInput, Theme, ThemeQuery>({
  kind: 'theme',
  fields: ThemeFields,
  store: themesStore,
  async check(ctx, fields, id) {
    const { count, isTaken } = await countNamed(ctx.db, 'themes', fields.name, id)
    if (isTaken) throw errors['theme.name-taken']({ params: { name: fields.name }, data: { fields: ['name'] } })
    if (id === null && count >= MAX_THEMES) throw errors['theme.too-many']({ params: { most: MAX_THEMES } })
    const file = fields.draft?.background.file
    if (file && !(await keepThemePicture(ctx, file))) throw errors['theme.unknown-picture']()
    return fields
  },
  async changed(ctx, { id, after }) {
    const { value } = await findSettingsDocument(ctx.db, DOCUMENT)
    if (after === null && usesTheme(value, id)) throw errors['theme.in-use']()
    await ctx.cache.invalidate(ctx.db, 'settings')
  },
})

/** Is the theme shown now, or scheduled? */
function usesTheme(appearance: Record<string, unknown>, id: string): boolean {
  const { theme, schedule } = ReadableAppearance.parse(appearance)
  return theme === id || schedule.some((window) => window.theme === id)
}

export const themeRestorer = service.restorer

function shippedTheme(ctx: Context, code: ShippedTheme): Theme {
  const name = ctx.translate(ctx.client.language, `theme.${code}`)
  const design = SHIPPED_THEMES[code]
  return { id: code, version: 0, name, names: {}, shownName: name, shipped: true, design, draft: null, updatedAt: null }
}

export async function describeThemes(ctx: Context): Promise<Output<typeof queryThemes>> {
  const { records } = await service.page(ctx, { pageIndex: 1, pageSize: MAX_THEMES })
  const shipped = SHIPPED_CODES.map((code) => shippedTheme(ctx, code))
  return { themes: [...shipped, ...records], ...(await describeAppearance(ctx)), today: await findToday(ctx) }
}

/** The chosen theme and the schedule, as pages read them. */
async function describeAppearance(ctx: Context) {
  const { value, version, fileKeys } = await findSettingsDocument(ctx.db, DOCUMENT)
  return { ...ReadableAppearance.parse(value), version, setByFile: fileKeys }
}

/** The design that a new theme starts with. @throws Refusal `theme.not-found`. */
async function baseDesign(ctx: Context, code: string): Promise<ThemeDesign> {
  if (isShippedTheme(code)) return SHIPPED_THEMES[code]
  const [theme] = /^[\da-f-]{36}$/.test(code) ? await themesStore.find(ctx, [code]) : []
  const design = theme?.draft ?? theme?.design
  if (!design) throw errors['theme.not-found']()
  return design
}

/** @throws Refusal `theme.not-found`, `theme.name-taken`, `theme.too-many`. */
export async function duplicateTheme(
  ctx: Context,
  { name, names, base }: Input<typeof createTheme>['body'],
): Promise<Theme> {
  return await service.create(ctx, { name, names, design: null, draft: await baseDesign(ctx, base) })
}

/** @throws Refusal `version.conflict`, `theme.name-taken`, `theme.unknown-picture`. */
export async function saveThemeDraft(
  ctx: Context,
  id: string,
  given: Input<typeof updateTheme>['body'],
): Promise<Theme> {
  const { design } = await service.get(ctx, id)
  return await service.update(ctx, id, { ...given, design })
}

function findWeakPairs(design: ThemeDesign): WeakPair[] {
  return (['light', 'dark'] as const).flatMap((scheme) =>
    measurePairs(design[scheme], scheme)
      .filter(({ passes }) => !passes)
      .map(({ text, on, ratio, least }) => ({ scheme, text, on, ratio, least })),
  )
}

/** @throws Refusal `theme.nothing-to-publish`, `theme.low-contrast` without a reason, `version.conflict`. */
export async function publishDraft(
  ctx: Context,
  id: string,
  { version, reason }: Input<typeof publishTheme>['body'],
): Promise<Theme> {
  const { name, names, draft } = await service.get(ctx, id)
  if (!draft) throw errors['theme.nothing-to-publish']()
  const pairs = findWeakPairs(draft)
  if (pairs.length > 0 && reason === null) {
    throw errors['theme.low-contrast']({ params: { count: pairs.length }, data: { pairs } })
  }
  const given: z.output<typeof ThemeFields> & { version: number } = { version, name, names, design: draft, draft: null }
  return await service.update(ctx, id, given, { action: 'theme.publish', ...(reason !== null && { reason }) })
}

/** @throws Refusal `theme.in-use`, `version.conflict`. */
export const deleteTheme = (ctx: Context, id: string, version: number): Promise<null> =>
  service.remove(ctx, id, version)

/** @throws Refusal `theme.not-found`, `theme.not-published`, `version.conflict`, `settings.set-by-file`. */
export const chooseShownTheme = (
  ctx: Context,
  { theme, version }: Input<typeof chooseTheme>['body'],
): Promise<Output<typeof chooseTheme>> =>
  transaction(ctx, async (inner) => {
    await lockResource(inner.db, 'theme')
    await assertPublished(inner, theme)
    return { theme, version: await editAppearance(inner, version, { theme }) }
  })

/** @throws Refusal `theme.not-found`, `theme.not-published`, `version.conflict` with the stored values, `settings.set-by-file`. */
export const changeThemeSchedule = (
  ctx: Context,
  { version, changes }: Input<typeof changeSchedule>['body'],
): Promise<Output<typeof changeSchedule>> =>
  transaction(ctx, async (inner) => {
    await lockResource(inner.db, 'theme')
    const named = (changes.schedule ?? []).flatMap(({ theme }) => theme ?? [])
    for (const theme of new Set(named)) await assertPublished(inner, theme)
    return { version: await editAppearance(inner, version, changes) }
  })

/** @returns the new version. */
async function editAppearance(ctx: Context, version: number, changes: Record<string, unknown>): Promise<number> {
  const isSaved = await editSettings(ctx, DOCUMENT, { version, changes, reset: [] })
  const current = await describeAppearance(ctx)
  if (!isSaved) throw common['version.conflict']({ data: { current } })
  return current.version
}

async function assertPublished(ctx: Context, code: string): Promise<void> {
  if (isShippedTheme(code)) return
  const [theme] = /^[\da-f-]{36}$/.test(code) ? await themesStore.find(ctx, [code]) : []
  if (!theme) throw errors['theme.not-found']()
  if (!(await findPublishedDesign(ctx.db, code))) throw errors['theme.not-published']()
}
