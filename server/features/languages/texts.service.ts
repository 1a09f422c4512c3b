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

/** A text as somebody wants it, who has seen it in a version; null: as it ships. */
export type WantedText = { key: string; text: string | null; version: number }
/** Null: as it ships. */
export type TextChange = { key: string; before: string | null; after: string | null }
/** What somebody else has made of a text. */
type Conflict = { key: string; text: string | null; version: number }

type Judgement = {
  changes: TextChange[]
  conflicts: Conflict[]
  refused: { key: string; problem: FoundProblem }[]
}

/** What a person typed, without what no page shows: blanks at the ends, two ways to write one letter, the line ends of Windows. */
const tidy = (text: string): string => text.normalize('NFC').replaceAll('\r\n', '\n').trim()

export const describeTextProblem = (ctx: Context, { problem, params }: FoundProblem): string =>
  ctx.translate(ctx.client.language, `text-problem.${problem}`, params)

/**
 * What has to be written so that the texts are as they are wanted. The keys must be known.
 * @param isSingle a text goes back alone, whatever its other forms for numbers are.
 */
export async function judgeTexts(
  ctx: Context,
  language: Language,
  wanted: readonly WantedText[],
  isSingle = false,
): Promise<Judgement> {
  const keys = wanted.flatMap(({ key }) => [key, ...formKeysOf(language, key)])
  const stored = await findOwnTexts(ctx.db, language, [...new Set(keys)])
  const judged: Judgement = { changes: [], conflicts: [], refused: [] }
  for (const one of wanted) judgeText(ctx, language, one, stored.get(one.key), judged)
  return isSingle ? judged : withWholeTexts(language, judged, stored)
}

/** Without the changes that would leave a text with some of the forms for numbers that its language needs; those are refused. */
function withWholeTexts(
  language: Language,
  { changes, conflicts, refused }: Judgement,
  stored: ReadonlyMap<string, StoredText>,
): Judgement {
  const after = new Map(changes.map((change) => [change.key, change.after !== null]))
  const isSaid = (key: string) => shippedOf(language, key) !== null || (after.get(key) ?? stored.has(key))
  const whole: Judgement = { changes: [], conflicts, refused: [...refused] }
  for (const change of changes) {
    const form = findMissingForm(language, change.key, isSaid)
    if (form === null) whole.changes.push(change)
    else whole.refused.push({ key: change.key, problem: { problem: 'plural-missing', params: { form } } })
  }
  return whole
}

function judgeText(
  ctx: Context,
  language: Language,
  { key, text, version }: WantedText,
  now: StoredText | undefined,
  { changes, conflicts, refused }: Judgement,
): void {
  const after = text === null || tidy(text) === shippedOf(language, key)?.trim() ? null : tidy(text)
  const before = now?.text ?? null
  // Whoever wants what stands there by now has no conflict with anybody.
  if (before === after) return
  const problem = after === null ? null : findTextProblem(key, after, shippedFormsOf(key), ctx.config.publicUrl)
  if (problem) refused.push({ key, problem })
  else if ((now?.version ?? 0) !== version) conflicts.push({ key, text: before, version: now?.version ?? 0 })
  else changes.push({ key, before, after })
}

/** In the transaction of `ctx.db`, in which the texts of the language are locked; all nodes hear of it with its commit. */
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
 * @throws Refusal `text.not-found`, `text.refused` with the reason of each text in `data.fields`, `version.conflict` with the text as it
 * stands.
 */
async function change(
  ctx: Context,
  language: Language,
  wanted: readonly WantedText[],
  isSingle = false,
): Promise<TextChange[]> {
  if (!ctx.wording.languages().some(({ code }) => code === language)) throw errors['language.not-found']()
  const unknown = wanted.find(({ key }) => !isTextKey(key) || !isUsedIn(language, key))
  if (unknown) throw errors['text.not-found']({ params: { key: unknown.key } })
  await lockTexts(ctx.db, language)
  const { changes, conflicts, refused } = await judgeTexts(ctx, language, wanted, isSingle)
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

/** All of these texts or, when one is refused, none. @throws Refusal as `change`, and `text.repeated`. */
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
