import type { Browser } from './browser.ts'
import { addPerson } from './people.ts'
import { callAs } from './portal.ts'
import type { TestServer } from './server.ts'

/** Requests a login code, as the login page does. */
export async function askForCode(server: TestServer, browser: Browser, target: string, extra: object = {}) {
  const [path, field] = target.includes('@') ? ['send_email', 'mailbox'] : ['send_phonecaptcha', 'phone']
  const body = { purpose: 'login', [field]: target, ...extra }
  return await callAs(server, browser, `/user_information/login/${path}/`, { body })
}

let made = 0
/** A person with their own phone and mailbox. */
export async function addReachablePerson(server: TestServer, extra: object = {}) {
  made += 1
  const phone = `+86137${String(made).padStart(8, '0')}`
  const mailbox = `person-${made}@example.edu`
  const account = `coder-${made}`
  const userId = await addPerson(server, { account, phone, mailbox, ...extra })
  return { userId, account, phone, mailbox }
}

/** More codes per address than anybody would request. */
export async function allowManyCodes({ platform }: TestServer): Promise<void> {
  const limits = { perAddressAnHour: 100_000, captchaPerAddressAnHour: 100_000 }
  await platform.sql`
    insert into settings (name, value, updated_at) values
      ('verificationCodes', ${JSON.stringify(limits)}::text::jsonb, ${platform.now()})`
}
