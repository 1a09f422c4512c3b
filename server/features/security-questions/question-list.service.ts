import {
  QUESTIONS_TO_ANSWER,
  type SecurityQuestion,
  SecurityQuestions,
  SHIPPED_QUESTIONS,
} from '#shared/contract/security-questions.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'

const readQuestions = (platform: Platform) => readSettings(platform, 'securityQuestions', SecurityQuestions)

const isShipped = (code: string) => (SHIPPED_QUESTIONS as readonly string[]).includes(code)

/** The questions that can be chosen, in the caller's language. */
export async function listOfferedQuestions(ctx: Context): Promise<SecurityQuestion[]> {
  const { questions } = await readQuestions(ctx)
  return await localizeQuestions(
    ctx,
    questions.map(({ code }) => code),
  )
}

/**
 * Questions in the caller's language: the institution's wording, else ours. One that is no longer in the list keeps its own text: somebody
 * has answered it.
 */
export async function localizeQuestions(ctx: Context, codes: readonly string[]): Promise<SecurityQuestion[]> {
  const { questions } = await readQuestions(ctx)
  const { language } = ctx.client
  return codes.map((code) => {
    const names = questions.find((question) => question.code === code)?.names ?? {}
    const ours = isShipped(code) ? ctx.translate(language, `security-question.${code}`) : undefined
    return { code, text: names[language] ?? ours ?? Object.values(names)[0] ?? code }
  })
}

/**
 * Questions for a name that has none: always the same for one name, from the same list, so that they don't reveal who exists or who has set
 * questions.
 */
export async function pickDecoyQuestions(ctx: Context, name: string): Promise<string[]> {
  const { questions } = await readQuestions(ctx)
  const digest = ctx.secrets.mac(`invented questions\n${name}`)
  const left = questions.map(({ code }) => code)
  return Array.from({ length: QUESTIONS_TO_ANSWER }, (_, at) => {
    const [code = ''] = left.splice(digest.readUInt32BE(4 * at) % left.length, 1)
    return code
  })
}
