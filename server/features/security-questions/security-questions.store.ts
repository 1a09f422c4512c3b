import type { Db } from '../../platform/db.ts'

/** A stored answer; the position is the order in which the person chose. */
export type AnswerRow = { question: string; answerHash: string; position: number }

export async function listAnswers(db: Db, userId: string): Promise<AnswerRow[]> {
  return [
    ...(await db<AnswerRow[]>`
      select question, answer_hash, position from security_answers
      where user_id = ${userId} order by position, question limit 10`),
  ]
}

export const hasAnswers = async (db: Db, userId: string): Promise<boolean> =>
  (await db`select 1 from security_answers where user_id = ${userId} limit 1`).length > 0

/** Replaces all earlier answers by these. */
export async function replaceAnswers(db: Db, userId: string, rows: readonly AnswerRow[]): Promise<void> {
  await db`delete from security_answers where user_id = ${userId}`
  await db`
    insert into security_answers (user_id, question, answer_hash, position)
    select ${userId}, r.question, r."answerHash", r.position
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(question text, "answerHash" text, position int)`
}

export async function deleteAnswers(db: Db, userId: string): Promise<void> {
  await db`delete from security_answers where user_id = ${userId}`
}

/** For users who have none yet. */
export async function insertAnswers(db: Db, rows: readonly (AnswerRow & { userId: string })[]): Promise<void> {
  await db`
    insert into security_answers (user_id, question, answer_hash, position)
    select r."userId", r.question, r."answerHash", r.position
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as r("userId" uuid, question text, "answerHash" text, position int)`
}
