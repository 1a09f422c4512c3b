import type { Language } from '#shared/contract/endpoint.ts'
import type { addLanguage, changeLanguage, ManagedLanguage, OfferedLanguage } from '#shared/contract/languages.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import type { Refusal } from '../../platform/errors.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, type Platform, transaction } from '../../platform/platform.ts'
import { type InterfaceLanguage, MAX_LANGUAGES } from '../../platform/wording-editions.ts'
import { type Restorer, recordAudit, type Snapshot } from '../records/index.ts'
import { managedLanguage, neededCoverage } from './coverage.service.ts'
import { errors } from './languages.errors.ts'
import {
  insertLanguage,
  listStoredLanguages,
  lockLanguages,
  orderLanguages,
  removeLanguage,
  updateLanguage,
} from './languages.store.ts'

const offered = new WeakMap<readonly InterfaceLanguage[], OfferedLanguage[]>()

const offeredOf = ({ code, name, direction, fallback }: InterfaceLanguage): OfferedLanguage => ({
  code,
  name,
  direction,
  fallback,
})

/**
 * The languages visitors can choose from, in the institution's order; the same object until a language changes.
 * @param shown the language of a preview, included even if it is not offered yet.
 */
export function offeredLanguages({ wording }: Platform, shown?: Language): OfferedLanguage[] {
  const all = wording.languages()
  if (all.some(({ code, enabled }) => code === shown && !enabled))
    return all.filter(({ code, enabled }) => enabled || code === shown).map(offeredOf)
  const known = offered.get(all) ?? all.filter(({ enabled }) => enabled).map(offeredOf)
  offered.set(all, known)
  return known
}

/** Changes whenever the result of `offeredLanguages` does. */
export const languagesVersion = ({ wording }: Platform): string =>
  wording
    .languages()
    .map(({ code, version, position }) => `${code}${version}.${position}`)
    .join()

/** @throws Refusal `language.not-found`. */
export function queryLanguages(ctx: Context, id: Language | 'all'): ManagedLanguage[] {
  const found = ctx.wording.languages().filter(({ code }) => id === 'all' || code === id)
  if (found.length === 0) throw errors['language.not-found']()
  return found.map((language) => managedLanguage(ctx, language))
}

const snapshotOf = ({ name, direction, fallback, position, enabled }: Fields): Snapshot => ({
  name,
  direction,
  fallback,
  position,
  enabled,
})

type Fields = Omit<Input<typeof changeLanguage>['body'], 'version'>

/** A canonical language tag with underscores; null if the tag is invalid. */
function codeOf(tag: string): Language | null {
  try {
    const [known] = Intl.getCanonicalLocales(languageTag(tag.trim()))
    return known && /^[a-z]{2,3}(-[A-Za-z\d]{2,8}){0,4}$/.test(known) ? known.replaceAll('-', '_') : null
  } catch {
    return null
  }
}

/** The codes with one of them moved to `position`, counted from 1. */
function withPosition(all: readonly InterfaceLanguage[], code: Language, position: number): Language[] {
  const others = all.map((one) => one.code).filter((one) => one !== code)
  return others.toSpliced(position - 1, 0, code)
}

/** Tells every node of the change with the commit. */
const announce = (ctx: Context, code: Language) => ctx.wording.announce(ctx.db, [code])

async function answer(ctx: Context, code: Language): Promise<ManagedLanguage> {
  await ctx.wording.refresh([code])
  return queryLanguages(ctx, code)[0] as ManagedLanguage
}

export async function createLanguage(
  ctx: Context,
  { query, body }: Input<typeof addLanguage>,
): Promise<ManagedLanguage> {
  const code = codeOf(query.id)
  if (code === null) throw errors['language.unknown-tag']({ params: { tag: query.id } })
  if (body.fallback === null) throw errors['language.fallback-needed']()
  await transaction(ctx, async (inner) => {
    await lockLanguages(inner.db)
    const all = await listStoredLanguages(inner.db)
    if (all.some((one) => one.code === code)) throw errors['language.exists']()
    if (all.length >= MAX_LANGUAGES) throw errors['language.too-many']({ params: { most: MAX_LANGUAGES } })
    const { position, ...given } = body
    await insertLanguage(inner.db, code, { ...given, enabled: false }, ctx.now())
    await orderLanguages(inner.db, withPosition(all, code, position))
    const after = snapshotOf({ ...body, position: Math.min(position, all.length + 1), enabled: false })
    await recordAudit(inner, { action: 'language.create', targetKind: 'language', targetId: code, after })
    await announce(inner, code)
  })
  return answer(ctx, code)
}

/** Why a language can't be changed like this; null: it can. */
function findObstacle(
  ctx: Context,
  before: InterfaceLanguage,
  { fallback, enabled }: Fields,
  all: readonly InterfaceLanguage[],
): Refusal | null {
  if ((before.fallback === null) !== (fallback === null)) return errors['language.fallback-needed']()
  if (enabled === before.enabled) return null
  const others = all.filter((one) => one.enabled && one.code !== before.code)
  if (!enabled) {
    if (others.length === 0) return errors['language.last']()
    const dependent = others.find((one) => one.fallback === before.code)
    return dependent ? errors['language.is-fallback']({ params: { name: dependent.name } }) : null
  }
  if (fallback !== null && !all.some(({ code, enabled }) => code === fallback && enabled))
    return errors['language.fallback-off']()
  const { total, translated } = neededCoverage(ctx, before.code)
  const missing = total - translated
  return missing > 0 ? errors['language.incomplete']({ params: { missing, count: missing } }) : null
}

/** The language in this version. @throws Refusal `language.not-found`, `version.conflict`. */
function requireVersion(all: readonly InterfaceLanguage[], code: Language, version: number): InterfaceLanguage {
  const found = all.find((one) => one.code === code)
  if (!found) throw errors['language.not-found']()
  if (found.version !== version) throw platformErrors['version.conflict']({ data: { current: found } })
  return found
}

/** In the transaction of `ctx.db`. @returns the language before; null if nothing changes. */
async function write(ctx: Context, code: Language, fields: Fields, version: number): Promise<InterfaceLanguage | null> {
  await lockLanguages(ctx.db)
  const all = await listStoredLanguages(ctx.db)
  const before = requireVersion(all, code, version)
  const obstacle = findObstacle(ctx, before, fields, all)
  if (obstacle) throw obstacle
  if (JSON.stringify(snapshotOf(before)) === JSON.stringify(snapshotOf(fields))) return null
  const { position, ...given } = fields
  await updateLanguage(ctx.db, code, given, ctx.now())
  await orderLanguages(ctx.db, withPosition(all, code, position))
  await announce(ctx, code)
  return before
}

export async function updateLanguageFields(
  ctx: Context,
  { query: { id }, body: { version, ...fields } }: Input<typeof changeLanguage>,
): Promise<ManagedLanguage> {
  await transaction(ctx, async (inner) => {
    const before = await write(inner, id, fields, version)
    if (!before) return
    const sides = { before: snapshotOf(before), after: snapshotOf(fields) }
    await recordAudit(inner, { action: 'language.update', targetKind: 'language', targetId: id, ...sides })
  })
  return answer(ctx, id)
}

export async function deleteLanguage(ctx: Context, id: Language, version: number): Promise<void> {
  await transaction(ctx, async (inner) => {
    await lockLanguages(inner.db)
    const all = await listStoredLanguages(inner.db)
    const before = requireVersion(all, id, version)
    if (before.fallback === null) throw errors['language.ships']()
    if (before.enabled) throw errors['language.in-use']()
    await removeLanguage(inner.db, id)
    await orderLanguages(
      inner.db,
      all.map(({ code }) => code).filter((code) => code !== id),
    )
    await recordAudit(inner, {
      action: 'language.delete',
      targetKind: 'language',
      targetId: id,
      before: snapshotOf(before),
    })
    await announce(inner, id)
  })
  await ctx.wording.refresh([id])
}

export const languageRestorer: Restorer = {
  async current(ctx, ids) {
    const all = await listStoredLanguages(ctx.db)
    return new Map(
      all.flatMap((one) =>
        ids.includes(one.code)
          ? [[one.code, { name: one.name, version: one.version, snapshot: snapshotOf(one) }] as const]
          : [],
      ),
    )
  },
  async restore(ctx, id, snapshot, version) {
    await write(ctx, id, snapshot as unknown as Fields, version)
  },
}
