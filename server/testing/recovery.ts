import type { Recovery } from '#shared/contract/password-recovery.ts'
import { hashAnswers, saveAnswers } from '../features/security-questions/index.ts'
import { systemContext } from '../platform/platform.ts'
import { mergeSettings } from '../platform/settings.ts'
import { type Browser, createBrowser } from './browser.ts'
import { codeSentTo } from './messages.ts'
import { addPerson } from './people.ts'
import { callAs, type Reply } from './portal.ts'
import type { TestServer } from './server.ts'
import { solvedCaptcha } from './sign-in.ts'

export const NEW_PASSWORD = 'Quiet-lake-7731'

type RecoveryMethod = 'phone' | 'mailbox' | 'questions'
type RecoveryProof = { proof: string; next: 'code' | 'password' }

export const UPDATE = {
  phone: 'update_password_by_phone',
  mailbox: 'update_password_by_email',
  questions: 'update_password_by_questions',
} as const

/** A password recovery as the page does it: in one browser, one call after the other. */
export function recoveryIn(server: TestServer, browser: Browser = createBrowser(server)) {
  const call = <T>(path: string, body: object) => callAs<T>(server, browser, path, { body })
  return {
    browser,
    call,
    async begin(account: string, name = `Name of ${account}`): Promise<Reply<Recovery>> {
      const captcha = await solvedCaptcha(browser, 'recovery')
      return await call('/password_recovery/begin/', { account, name, ...captcha })
    },
    send: (id: string, method: 'phone' | 'mailbox', extra: object = {}) =>
      call(`/user_information/${id}/${method === 'phone' ? 'send_phonecaptcha/' : 'send_email/'}`, {
        purpose: 'recovery',
        ...extra,
      }),
    byCode: (id: string, method: 'phone' | 'mailbox', code: string, proof?: string) =>
      call<RecoveryProof>(`/password_recovery/${id}/prove_by_code/`, { method, code, ...(proof && { proof }) }),
    byQuestions: (id: string, answers: object[]) =>
      call<RecoveryProof>(`/password_recovery/${id}/prove_by_questions/`, { answers }),
    set: (id: string, method: RecoveryMethod, proof: string, newPassword = NEW_PASSWORD) =>
      call<{ ended: number }>(`/user_information/${id}/${UPDATE[method]}/`, { proof, newPassword }),
    /** Up to the proof by a code sent to `target`. */
    async proved(account: string, method: 'phone' | 'mailbox', target: string): Promise<{ id: string; proof: string }> {
      const { id } = (await this.begin(account)).data
      await this.send(id, method)
      const { data } = await this.byCode(id, method, await codeSentTo(server, target))
      return { id, proof: data.proof }
    },
  }
}

/** No limits of codes and captchas for an address, which all tests share. */
export const liftAddressLimits = ({ platform }: TestServer): Promise<unknown> =>
  mergeSettings({ ...platform, db: platform.sql }, 'verificationCodes', {
    perAddressAnHour: 100_000,
    captchaPerAddressAnHour: 100_000,
  })

export const ANSWERS = [
  { question: 'first-school', answer: 'Red Hill' },
  { question: 'first-pet', answer: '小白' },
  { question: 'birth-town', answer: '成都' },
]

let made = 0

/** A person with a phone, a mailbox and `ANSWERS`. @param columns of `users` that differ */
export async function addRecoverable(server: TestServer, columns: object = {}) {
  made += 1
  const account = `victim-${made}`
  const phone = `+86134${String(made).padStart(8, '0')}`
  const mailbox = `victim-${made}@example.edu`
  const userId = await addPerson(server, { account, phone, mailbox })
  const ctx = systemContext(server.platform)
  await saveAnswers(ctx, userId, await hashAnswers(ctx, ANSWERS))
  const { sql } = server.platform
  if (Object.keys(columns).length > 0) await sql`update users set ${sql(columns)} where id = ${userId}`
  return { userId, account, phone, mailbox }
}
