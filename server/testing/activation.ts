import type { Activation, ActivationRules } from '#shared/contract/activation.ts'
import { mergeSettings } from '../platform/settings.ts'
import { type Browser, createBrowser } from './browser.ts'
import { codeSentTo } from './messages.ts'
import { addPerson } from './people.ts'
import { callAs, type Reply } from './portal.ts'
import type { TestServer } from './server.ts'

export const NEW_PASSWORD = 'Wide-river-47'
export const ANSWERS = [
  { question: 'first-school', answer: 'Red Hill' },
  { question: 'first-pet', answer: 'Snow' },
  { question: 'birth-town', answer: 'Chengdu' },
]

let made = 0

type Person = NonNullable<Parameters<typeof addPerson>[1]>
export type Newcomer = { userId: string; account: string; name: string; idNumber: string }

/** A person who has not activated the account and has no password. */
export async function addNewcomer(server: TestServer, person: Partial<Person> = {}): Promise<Newcomer> {
  made += 1
  const about = { account: `new-${made}`, name: `Newcomer ${made}`, idNumber: `99999920010203${1000 + made}` }
  const entry = { ...about, activated: false, password: undefined, ...person } as Person
  const userId = await addPerson(server, entry)
  return { ...about, ...(person.account && { account: person.account }), userId }
}

/** One browser's activation: stores the latest proof and sends it along. */
export type Page = {
  browser: Browser
  state(): Activation
  call(path: string, body: object): Promise<Reply<Activation> & { code: string }>
  begin(typed: object): Promise<Reply<Activation> & { code: string }>
  /** Requests a code; without a target for the one on file. */
  send(channel: 'sms' | 'mail', target?: string): Promise<{ status: number; code: string }>
  reload(): Promise<Activation | null>
}

export function openActivation(server: TestServer, browser = createBrowser(server)): Page {
  let now: Activation | null = null
  const keep = (reply: Reply<Activation>) => {
    if (reply.status === 200 && reply.data) now = reply.data
    return { ...reply, code: reply.envelope.code ?? '' }
  }
  const state = () => {
    if (!now) throw new Error('no activation was begun')
    return now
  }
  const call: Page['call'] = async (path, body) =>
    keep(await callAs<Activation>(server, browser, `/activate/${path}`, { body: { proof: now?.proof ?? '', ...body } }))
  return {
    browser,
    state,
    call,
    begin: async (typed) => keep(await callAs<Activation>(server, browser, '/activate/information/', { body: typed })),
    send: async (channel, target) => {
      const [path, key] = channel === 'sms' ? ['send_phonecaptcha/', 'phone'] : ['send_email', 'mailbox']
      const body = { purpose: 'activation', ...(target && { [key as string]: target }) }
      const reply = await callAs(server, browser, `/user_information/${now?.id}/${path}`, { body })
      return { status: reply.status, code: reply.envelope.code ?? '' }
    },
    reload: async () => {
      const { data } = await callAs<{ activation: Activation | null }>(server, browser, '/activate/query/')
      now = data.activation
      return now
    },
  }
}

/** A page that has passed the information check. @throws Error if it is rejected. */
export async function begun(server: TestServer, { account, name, idNumber }: Newcomer): Promise<Page> {
  const page = openActivation(server)
  const reply = await page.begin({ account, name, idNumber })
  if (reply.status !== 200) throw new Error(`the information check was refused: ${reply.code}`)
  return page
}

/** Binds a phone or mailbox as the page does it. */
export async function bindOn(server: TestServer, page: Page, channel: 'sms' | 'mail', target: string, count = 1) {
  const sent = await page.send(channel, target)
  if (sent.status !== 200) throw new Error(`no code was sent: ${sent.code}`)
  const code = await codeSentTo(server, target, count)
  return await page.call(channel === 'sms' ? 'bind_phone/' : 'bind_mailbox/', {
    [channel === 'sms' ? 'phone' : 'mailbox']: target,
    code,
  })
}

export async function setRules(server: TestServer, rules: Partial<ActivationRules>): Promise<void> {
  await mergeSettings({ ...server.platform, db: server.platform.sql }, 'activation', rules)
}

const ID_NUMBER = '999999199901011234'
const RIGHT = { name: 'Wang Fang', idNumber: ID_NUMBER }

/** Failures of the information check that must be indistinguishable: which account, in which state, and what was wrong. */
export function refusedKinds(server: () => TestServer) {
  const on = (change: string) => async (account: string) => {
    const { userId } = await addNewcomer(server(), { account, ...RIGHT })
    await server().platform.sql.unsafe(`update users set ${change} where id = '${userId}'`)
  }
  const kinds: Record<string, { make(account: string): Promise<unknown>; typed: object }> = {
    unknown: { make: async () => {}, typed: RIGHT },
    'wrong name': { make: on('version = 1'), typed: { ...RIGHT, name: 'Wang Fan' } },
    'wrong ID number': { make: on('version = 1'), typed: { ...RIGHT, idNumber: '999999199901011235' } },
    'no ID number typed': { make: on('version = 1'), typed: { name: RIGHT.name } },
    'active, everything right': { make: (account) => addPerson(server(), { account, ...RIGHT }), typed: RIGHT },
    'no ID number and nothing to reach': {
      make: (account) => addNewcomer(server(), { account, name: RIGHT.name, idNumber: undefined }),
      typed: RIGHT,
    },
    locked: { make: on('locked_at = created_at'), typed: RIGHT },
    frozen: { make: on('frozen_from = created_at'), typed: RIGHT },
    'dormant and active': { make: on('dormant_since = created_at, activated = true'), typed: RIGHT },
    disabled: { make: on('enabled = false'), typed: RIGHT },
    deleted: { make: on('deleted_at = created_at'), typed: RIGHT },
  }
  return { kinds, accountOf: (kind: string) => `enum-${kind.replaceAll(/\W/g, '-')}`, on, right: RIGHT }
}
