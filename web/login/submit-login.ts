import type { CaptchaKind } from '#shared/contract/captcha.ts'
import type { Envelope, Language } from '#shared/contract/endpoint.ts'
import type { Message, PageEnvironment } from '#shared/contract/light-page.ts'
import type {
  SecondFactorData,
  SecondFactorStep,
  SessionLimitData,
  SessionLimitStep,
  SignInRefusalData,
} from '#shared/contract/sign-in.ts'
import { formatMessage } from '#shared/rules/format-message.ts'

/** Why an attempt failed. `text` is the server's sentence in `language`; after a language switch the key is used. */
export type Problem = Message & { text?: string; language?: Language }

export type LoginAnswer =
  | { done: true; redirectUrl: string }
  | {
      done: false
      problem: Problem
      code: string
      /** Undefined: not part of the answer. */
      captcha: CaptchaKind | null | undefined
      /** The input was refused, so the password has to be typed again. */
      retype: boolean
      /** The first factor was correct: this is still required. */
      step: SecondFactorStep | undefined
      /** Everything was correct, but other logins must end first. */
      sessionLimit: SessionLimitStep | undefined
    }

/** A problem in the page's language, or the server's own sentence where its values are unknown here. */
export function problemText(problem: Problem, { language, messages }: PageEnvironment): string {
  const template = messages[problem.key]
  const known = template !== undefined && (problem.params !== undefined || !template.includes('{{'))
  if (problem.text !== undefined && (problem.language === language || !known)) return problem.text
  return formatMessage(messages, language, problem.key, problem.params)
}

const toFailure = (key: string): LoginAnswer => ({
  done: false,
  problem: { key },
  code: key,
  captcha: undefined,
  retype: false,
  step: undefined,
  sessionLimit: undefined,
})

type LoginResponseData = { redirectUrl?: unknown } & Partial<SignInRefusalData & SecondFactorData & SessionLimitData>

/** Posts the form and reads the answer. Never throws: a network failure is returned as an answer. */
export async function submitLogin(action: string, fields: URLSearchParams, language: Language): Promise<LoginAnswer> {
  try {
    const answer = await fetch(action, {
      method: 'POST',
      headers: { accept: 'application/json', 'accept-language': language.replace('_', '-') },
      body: fields,
    })
    if (answer.status === 504) return toFailure('login.gateway-timeout')
    return parseAnswer((await answer.json()) as Envelope<LoginResponseData | null>, language)
  } catch {
    return toFailure('login.unreachable')
  }
}

function parseAnswer(
  { state, code, message, data }: Envelope<LoginResponseData | null>,
  language: Language,
): LoginAnswer {
  if (state === 200) {
    return isWebUrl(data?.redirectUrl)
      ? { done: true, redirectUrl: data.redirectUrl }
      : toFailure('errors.server.error')
  }
  if (!code || typeof message !== 'string') return toFailure('login.unreachable')
  const aboutCaptcha = code.includes('captcha')
  return {
    done: false,
    problem: { key: `errors.${code}`, text: message, language },
    code,
    captcha: data?.captcha === null ? null : data?.captcha?.kind,
    retype: state < 500 && state !== 429 && !aboutCaptcha,
    step: data?.secondFactor,
    sessionLimit: data?.sessionLimit,
  }
}

/** The page navigates to http(s) addresses only, whatever the answer says: never `javascript:` or `data:`. */
function isWebUrl(address: unknown): address is string {
  if (typeof address !== 'string' || !URL.canParse(address, location.href)) return false
  return /^https?:$/.test(new URL(address, location.href).protocol)
}
