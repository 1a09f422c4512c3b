import type { Recovery } from '#shared/contract/password-recovery.ts'
import { type Browser, createBrowser } from './browser.ts'
import { codeSentTo } from './messages.ts'
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
    send: (id: string, way: 'phone' | 'mailbox', extra: object = {}) =>
      call(`/user_information/${id}/${way === 'phone' ? 'send_phonecaptcha/' : 'send_email/'}`, {
        purpose: 'recovery',
        ...extra,
      }),
    byCode: (id: string, way: 'phone' | 'mailbox', code: string, proof?: string) =>
      call<RecoveryProof>(`/password_recovery/${id}/prove_by_code/`, { way, code, ...(proof && { proof }) }),
    byQuestions: (id: string, answers: object[]) =>
      call<RecoveryProof>(`/password_recovery/${id}/prove_by_questions/`, { answers }),
    set: (id: string, way: RecoveryMethod, proof: string, newPassword = NEW_PASSWORD) =>
      call<{ ended: number }>(`/user_information/${id}/${UPDATE[way]}/`, { proof, newPassword }),
    /** Up to the proof by a code sent to `target`. */
    async proved(account: string, way: 'phone' | 'mailbox', target: string): Promise<{ id: string; proof: string }> {
      const { id } = (await this.begin(account)).data
      await this.send(id, way)
      const { data } = await this.byCode(id, way, await codeSentTo(server, target))
      return { id, proof: data.proof }
    },
  }
}
