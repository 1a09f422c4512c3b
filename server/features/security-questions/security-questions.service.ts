import { type SecurityAnswer, type SecurityQuestion, SecurityQuestions } from '#shared/contract/security-questions.ts'
import { canonicalAnswer } from '#shared/rules/security-answer.ts'
import type { Context } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'
import {
  type AttemptCounter,
  countFailure,
  deleteCounter,
  findCounter,
  isBlocked,
  waitOf,
  windowStart,
  withAttemptSlot,
} from '../attempts/index.ts'
import { hashPassword, verifyPassword } from '../passwords/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { localizeQuestions, pickDecoyQuestions } from './question-list.service.ts'
import { errors } from './security-questions.errors.ts'
import { type AnswerRow, listAnswers, replaceAnswers } from './security-questions.store.ts'

/** The person whom the questions are for. `name`: the canonical login name that was typed; `userId` null: nobody has it. */
export type QuestionSubject = { userId: string | null; name: string }

/** The questions of a person, in the caller's language; invented ones if there are none. */
export async function listQuestions(ctx: Context, { userId, name }: QuestionSubject): Promise<SecurityQuestion[]> {
  const rows = userId === null ? [] : await listAnswers(ctx.db, userId)
  const codes = rows.length > 0 ? rows.map(({ question }) => question) : await pickDecoyQuestions(ctx, name)
  return await localizeQuestions(ctx, codes)
}

/** Shorter ones are guessed easily. Two Chinese characters are a name. */
const MIN_ANSWER_LENGTH = 2

/**
 * Checks and hashes new answers for `saveAnswers`. Slow, so call it before the transaction.
 * @throws Refusal `security-questions.unknown-question`, `.same-question`, `.same-answer`, `.answer-too-short`, `service.busy`.
 */
export async function hashAnswers(ctx: Context, answers: readonly SecurityAnswer[]): Promise<AnswerRow[]> {
  const { questions } = await readSettings(ctx, 'securityQuestions', SecurityQuestions)
  const known = new Set(questions.map(({ code }) => code))
  const codes = answers.map(({ question }) => question)
  const texts = answers.map(({ answer }) => canonicalAnswer(answer))
  if (codes.some((code) => !known.has(code))) throw errors['security-questions.unknown-question']()
  if (new Set(codes).size < codes.length) throw errors['security-questions.same-question']()
  if (texts.some((text) => [...text].length < MIN_ANSWER_LENGTH)) throw errors['security-questions.answer-too-short']()
  if (new Set(texts).size < texts.length) throw errors['security-questions.same-answer']()
  return await Promise.all(
    codes.map(async (question, position) => ({
      question,
      position,
      answerHash: await hashPassword(ctx, texts[position] ?? '', 'person'),
    })),
  )
}

/** Replaces the old answers by new ones, hashed by `hashAnswers`; the caller writes the audit record. */
export const saveAnswers = (ctx: Context, userId: string, hashed: readonly AnswerRow[]): Promise<void> =>
  replaceAnswers(ctx.db, userId, hashed)

/**
 * Verifies answers: all of them must be correct. Costs the same for everybody; after too many wrong ones nothing is verified for a while,
 * whether anybody has the name or not. Correct ones clear the count.
 * @throws Refusal `security-questions.wrong`, `security-questions.too-many-attempts`, `service.busy`.
 */
export async function verifyAnswers(
  ctx: Context,
  { userId, name }: QuestionSubject,
  given: readonly SecurityAnswer[],
): Promise<void> {
  const policy = await signInPolicy(ctx)
  const key = ctx.secrets.mac(`security-answers\n${userId ?? name}`)
  const loadCounter = () => findCounter(ctx.db, 'security-answers', key, windowStart(policy, ctx.now()), ctx.now())
  const slotOf = (counter: AttemptCounter) =>
    isBlocked(counter, ctx.now())
      ? null
      : { lane: key.toString('base64'), free: policy.lockAfterFailures - counter.failures }
  await withAttemptSlot(loadCounter, slotOf, async (counter) => {
    if (isBlocked(counter, ctx.now()))
      throw errors['security-questions.too-many-attempts'](waitOf(policy, counter, ctx.now()))
    const rows = userId === null ? [] : await listAnswers(ctx.db, userId)
    if (await areAllCorrect(ctx, rows, given)) return await deleteCounter(ctx.db, 'security-answers', key)
    const counted = await countFailure(ctx, policy, { kind: 'security-answers', key, userId, addressKey: null })
    if (isBlocked(counted, ctx.now()))
      throw errors['security-questions.too-many-attempts'](waitOf(policy, counted, ctx.now()))
    throw errors['security-questions.wrong']()
  })
}

/** Verifies all of them, correct or not, so that the response time does not reveal how many were. */
async function areAllCorrect(
  ctx: Context,
  rows: readonly AnswerRow[],
  given: readonly SecurityAnswer[],
): Promise<boolean> {
  const results = await Promise.all(
    given.map(async ({ question, answer }) => {
      const hash = rows.find((row) => row.question === question)?.answerHash
      // All answers are hashed in our own way, so the decoy is too.
      const nothing = { like: '', name: Buffer.alloc(4) }
      return (await verifyPassword(ctx, canonicalAnswer(answer), hash ?? nothing)).right
    }),
  )
  const answered = new Set(given.map(({ question }) => question))
  return rows.length > 0 && rows.every(({ question }) => answered.has(question)) && results.every((right) => right)
}
