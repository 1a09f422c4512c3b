import type { Language } from '#shared/contract/endpoint.ts'
import type { saveTexts, WordingText } from '#shared/contract/languages.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { type Restorer, recordAudits } from '../records/index.ts'
import { errors } from './languages.errors.ts'
import { isTextKey, shippedFormsOf, shippedOf, sourceOf, textOf } from './text-catalog.service.ts'
import { type FoundProblem, findTextProblem } from './text-checks.rules.ts'
import { findMissingForm, formKeysOf, isUsedIn } from './text-keys.rules.ts'
import { deleteOwnTexts, findOwnTexts, lockTexts, type StoredText, writeOwnTexts } from './texts.store.ts'

/** A requested text, and the version it is based on; null: the shipped text. */
export type TextRequest = { key: string; text: string | null; version: number }
/** Null: the shipped text. */
export type TextChange = { key: string; before: string | null; after: string | null }
/** A text that somebody else has changed. */
type Conflict = { key: string; text: string | null; version: number }

type Judgement = {
  changes: TextChange[]
  conflicts: Conflict[]
  refused: { key: string; problem: FoundProblem }[]
}

/** Normalises input: trims it, composes characters, and converts Windows line ends. */
const tidy = (text: string): string => text.normalize('NFC').replaceAll('\r\n', '\n').trim()

export const describeTextProblem = (ctx: Context, { problem, params }: FoundProblem): string =>
  ctx.translate(ctx.client.language, `text-problem.${problem}`, params)

/**
 * What has to be written for the requested texts, whose keys must be known.
 * @param isSingle allows resetting one text without its other plural forms.
 */
export async function judgeTexts(
  ctx: Context,
  language: Language,
  requests: readonly TextRequest[],
  isSingle = false,
): Promise<Judgement> {
  const keys = requests.flatMap(({ key }) => [key, ...formKeysOf(language, key)])
  const stored = await findOwnTexts(ctx.db, language, [...new Set(keys)])
  const judged: Judgement = { changes: [], conflicts: [], refused: [] }
  for (const one of requests) judgeText(ctx, language, one, stored.get(one.key), judged)
  return isSingle ? judged : refuseIncompletePlurals(language, judged, stored)
}

/** Refuses changes that would leave a text with only some of the plural forms its language needs. */
function refuseIncompletePlurals(
  language: Language,
  { changes, conflicts, refused }: Judgement,
  stored: ReadonlyMap<string, StoredText>,
): Judgement {
  const after = new Map(changes.map((change) => [change.key, change.after !== null]))
  const isTranslated = (key: string) => shippedOf(language, key) !== null || (after.get(key) ?? stored.has(key))
  const result: Judgement = { changes: [], conflicts, refused: [...refused] }
  for (const change of changes) {
    const form = findMissingForm(language, change.key, isTranslated)
    if (form === null) result.changes.push(change)
    else result.refused.push({ key: change.key, problem: { problem: 'plural-missing', params: { form } } })
  }
  return result
}

function judgeText(
  ctx: Context,
  language: Language,
  { key, text, version }: TextRequest,
  now: StoredText | undefined,
  { changes, conflicts, refused }: Judgement,
): void {
  const after = text === null || tidy(text) === shippedOf(language, key)?.trim() ? null : tidy(text)
  const before = now?.text ?? null
  // Requesting the text that is now stored is no conflict.
  if (before === after) return
  const problem = after === null ? null : findTextProblem(key, after, shippedFormsOf(key), ctx.config.publicUrl)
  if (problem) refused.push({ key, problem })
  else if ((now?.version ?? 0) !== version) conflicts.push({ key, text: before, version: now?.version ?? 0 })
  else changes.push({ key, before, after })
}

/** Writes in the transaction of `ctx.db`, which must hold the lock on the language's texts; every node is notified with the commit. */
export async function writeTexts(ctx: Context, language: Language, changes: readonly TextChange[]): Promise<void> {
  const texts = changes.flatMap(({ key, after }) =>
    after === null ? [] : [{ key, text: after, source: sourceOf(ctx, language, key) }],
  )
  const taken = changes.flatMap(({ key, after }) => (after === null ? [key] : []))
  await writeOwnTexts(ctx.db, language, texts, ctx.now())
  await deleteOwnTexts(ctx.db, language, taken)
  if (changes.length > 0) await ctx.wording.announce(ctx.db, [language])
}

export const recordTextChanges = (ctx: Context, language: Language, changes: readonly TextChange[]): Promise<void> =>
  recordAudits(
    ctx,
    changes.map(({ key, before, after }) => ({
      action: 'text.change',
      targetKind: 'text',
      targetId: `${language}/${key}`,
      before: { ownText: before },
      after: { ownText: after },
    })),
  )

/**
 * In the transaction of `ctx.db`.
 * @throws Refusal `text.not-found`, `text.refused` with each text's reason in `data.fields`, `version.conflict` with the stored text.
 */
async function change(
  ctx: Context,
  language: Language,
  requests: readonly TextRequest[],
  isSingle = false,
): Promise<TextChange[]> {
  if (!ctx.wording.languages().some(({ code }) => code === language)) throw errors['language.not-found']()
  const unknown = requests.find(({ key }) => !isTextKey(key) || !isUsedIn(language, key))
  if (unknown) throw errors['text.not-found']({ params: { key: unknown.key } })
  await lockTexts(ctx.db, language)
  const { changes, conflicts, refused } = await judgeTexts(ctx, language, requests, isSingle)
  const reasons = refused.map(({ key, problem }) => ({ key, reason: describeTextProblem(ctx, problem), ...problem }))
  const [first] = reasons
  if (first)
    throw errors['text.refused']({
      params: { key: first.key, reason: first.reason },
      data: { fields: reasons.map(({ key, reason, problem }) => ({ field: `texts.${key}`, problem, reason })) },
    })
  const [current] = conflicts
  if (current) throw platformErrors['version.conflict']({ data: { current } })
  await writeTexts(ctx, language, changes)
  return changes
}

/** Changes all of these texts, or none if one is refused. @throws Refusal as `change`, and `text.repeated`. */
export async function changeTexts(
  ctx: Context,
  language: Language,
  { texts }: Input<typeof saveTexts>['body'],
): Promise<WordingText[]> {
  const repeated = texts.find(({ key }, at) => texts.findIndex((other) => other.key === key) < at)
  if (repeated) throw errors['text.repeated']({ params: { key: repeated.key } })
  await transaction(ctx, async (inner) => recordTextChanges(inner, language, await change(inner, language, texts)))
  await ctx.wording.refresh([language])
  return texts.map(({ key }) => textOf(ctx, key))
}

/** @throws Refusal `text.not-found`. */
export function findWordingText(ctx: Context, key: string): WordingText {
  if (!isTextKey(key)) throw errors['text.not-found']({ params: { key } })
  return textOf(ctx, key)
}

const partsOf = (targetId: string): { language: Language; key: string } => {
  const [language = '', ...key] = targetId.split('/')
  return { language: language as Language, key: key.join('/') }
}

export const textRestorer: Restorer = {
  async current(ctx, targetIds) {
    const byLanguage = Map.groupBy(targetIds.map(partsOf), ({ language }) => language)
    const states = await Promise.all(
      [...byLanguage].map(async ([language, parts]) => {
        const keys = parts.map(({ key }) => key).filter(isTextKey)
        const stored = await findOwnTexts(ctx.db, language, keys)
        return keys.map((key) => {
          const own = stored.get(key)
          const state = { name: key, version: own?.version ?? 0, snapshot: { ownText: own?.text ?? null } }
          return [`${language}/${key}`, state] as const
        })
      }),
    )
    return new Map(states.flat())
  },
  async restore(ctx, targetId, snapshot, version) {
    const { language, key } = partsOf(targetId)
    const text = typeof snapshot['ownText'] === 'string' ? snapshot['ownText'] : null
    await change(ctx, language, [{ key, text, version }], true)
  },
}
