import { z } from 'zod'
import { Empty, get, Language } from './endpoint.ts'

/** The number of questions a person answers. */
export const QUESTIONS_TO_ANSWER = 3

/** The shipped questions; messages `security-question.<code>`. */
export const SHIPPED_QUESTIONS = [
  'first-school',
  'childhood-friend',
  'favourite-teacher',
  'first-pet',
  'birth-town',
  'first-book',
  'dream-job',
  'first-journey',
  'favourite-dish',
  'childhood-street',
] as const

const Code = z
  .string()
  .min(1)
  .max(100)
  .refine((code) => code === code.trim() && !/\p{Cc}/u.test(code))

/**
 * The questions to choose from: settings document `securityQuestions`, and `settings.securityQuestions` of the
 * bootstrap file.
 */
export const SecurityQuestions = z.strictObject({
  questions: z
    .array(
      z.strictObject({
        /** A shipped one, or the institution's own with its text. */
        code: Code,
        names: z.record(Language, z.string().trim().min(1).max(200)).optional(),
      }),
    )
    .min(QUESTIONS_TO_ANSWER)
    .max(50)
    .refine(
      (questions) => new Set(questions.map(({ code }) => code)).size === questions.length,
      'a question stands in the list twice',
    )
    .default(SHIPPED_QUESTIONS.map((code) => ({ code }))),
})
export type SecurityQuestions = z.infer<typeof SecurityQuestions>

/** A question in the caller's language. */
export const SecurityQuestion = z.object({ code: z.string(), text: z.string() })
export type SecurityQuestion = z.infer<typeof SecurityQuestion>

export const SecurityAnswer = z.strictObject({
  question: z.string().min(1).max(100),
  answer: z.string().min(1).max(200),
})
export type SecurityAnswer = z.infer<typeof SecurityAnswer>

/** The answers of one person, as many as required. */
export const SecurityAnswers = z.array(SecurityAnswer).length(QUESTIONS_TO_ANSWER)

export const listSecurityQuestions = get(
  '/security_question/list/',
  'public',
  Empty,
  z.object({ questions: z.array(SecurityQuestion), count: z.number().int() }),
  { summary: 'The security questions to choose from, and how many have to be answered' },
)
