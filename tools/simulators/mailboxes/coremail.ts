import { json, type Vendor } from '../simulator.ts'
import type { Call, Reply, Simulator } from '../simulator.types.ts'
import { type AccountProblem, saveMailbox, stoppedCall } from './mailbox-accounts.ts'
import { followLink, issueLink, mailboxStateOf } from './mailbox-page.ts'

const TITLE = 'Coremail (simulated)'
const APP_ID = 'portal'
const SECRET = 'nothing-secret-in-a-simulator'

const failed = (code: number, message: string): Reply => json({ code, message })

function token(simulator: Simulator, { body }: Call): Reply {
  if (!body) return failed(39, 'json expected')
  if (body['app_id'] !== APP_ID || body['secret'] !== SECRET) return failed(35, 'wrong password')
  return json({ code: 0, result: simulator.issueToken('app') })
}

/** Answers about a mailbox, with a token. */
const ofMailbox =
  (answer: (simulator: Simulator, address: string, body: Record<string, unknown>) => Reply) =>
  (simulator: Simulator, { body }: Call): Reply => {
    if (!body) return failed(39, 'json expected')
    if (simulator.subjectOf(String(body['_token'])) !== 'app') return failed(28, 'session expired')
    const address = String(body['user_at_domain'])
    if (!address.includes('@')) return failed(9, 'bad user id')
    return mailboxStateOf(simulator, address) === 'unknown'
      ? failed(19, 'no such user')
      : answer(simulator, address, body)
  }

const login = ofMailbox((simulator, address, body) => {
  if (mailboxStateOf(simulator, address) === 'stopped') return failed(53, 'user expired')
  if (typeof body['attrs'] !== 'string' || !new URLSearchParams(body['attrs']).has('remote_ip'))
    return failed(39, 'attrs')
  const sid = issueLink(simulator, address, APP_ID)
  return json({ code: 0, result: `sid=${sid}&webname=http://mail.example.edu` })
})

const CODES: Partial<Record<AccountProblem, [number, string]>> = {
  'user-exists': [8, 'user exists'],
  'no-user': [19, 'no such user'],
  domain: [20, 'no such domain'],
  'too-many-accounts': [59, 'user limit of the licence'],
  'no-permission': [403, 'not allowed'],
  'too-often': [429, 'too many calls'],
}
const refused = (problem: AccountProblem): Reply => failed(...(CODES[problem] ?? ([39, problem] as const)))

/** Where a mailbox can be created. */
const PLACE = { org_id: 'a', provider_id: '1', cos_id: '1' }

/** Answers about accounts, with a token. */
const ofAccounts =
  (name: string, isWrite: boolean, answer: (simulator: Simulator, body: Record<string, unknown>) => Reply) =>
  (simulator: Simulator, { body }: Call): Reply => {
    if (!body) return failed(39, 'json expected')
    if (simulator.subjectOf(String(body['_token'])) !== 'app') return failed(28, 'session expired')
    const problem = stoppedCall(simulator, `/apiws/v3/${name}`, isWrite)
    return problem ? refused(problem) : answer(simulator, body)
  }

type Attributes = Partial<Record<'true_name' | 'mobile_number' | 'user_status' | 'password' | 'cos_id', string>>

const save = (isNew: boolean) =>
  ofAccounts(isNew ? 'createUser' : 'changeAttrs', true, (simulator, { user_at_domain, attrs, ...place }) => {
    const { true_name: name, mobile_number: mobile, user_status, password, cos_id } = (attrs ?? {}) as Attributes
    if (isNew && place['org_id'] !== PLACE.org_id) return failed(51, 'no such organisation')
    if (isNew && (place['provider_id'] !== PLACE.provider_id || cos_id !== PLACE.cos_id))
      return failed(50, 'no such class of service')
    const isDisabled = user_status === undefined ? undefined : user_status !== '0'
    const change = { address: String(user_at_domain), name, mobile, password, isDisabled }
    const problem = saveMailbox(simulator, change as never, isNew)
    return problem ? refused(problem) : json({ code: 0 })
  })

/** Those attributes that are asked for by a null. */
const attributes = ofAccounts('getAttrs', false, ({ mailboxes }, { user_at_domain, attrs }) => {
  const found = mailboxes.get(String(user_at_domain).toLowerCase())
  if (!found) return refused('no-user')
  const known = {
    true_name: found.name,
    mobile_number: found.mobile,
    user_status: found.state ?? (found.isDisabled ? '1' : '0'),
  }
  const asked = Object.entries((attrs ?? {}) as object).flatMap(([name, value]) => (value === null ? [name] : []))
  return json({ code: 0, result: Object.fromEntries(Object.entries(known).filter(([name]) => asked.includes(name))) })
})

/** Coremail. */
export const coremail: Vendor = {
  title: TITLE,
  settings: (url) => ({ driver: 'coremail', appId: APP_ID, secret: SECRET, apiHost: url, loginHost: url }),
  contacts: (url) => ({ application: APP_ID, secret: SECRET, host: url }),
  application: APP_ID,
  returnedCode: '',
  pages: {},
  shows: {
    '/coremail/main.jsp': (simulator, query) => followLink(simulator, TITLE, query.get('sid') ?? '', APP_ID),
  },
  calls: {
    '/apiws/v3/requestToken': { step: 'token', answer: token },
    '/apiws/v3/createUser': { step: 'book', answer: save(true) },
    '/apiws/v3/changeAttrs': { step: 'book', answer: save(false) },
    '/apiws/v3/getAttrs': { step: 'book', answer: attributes },
    '/apiws/v3/userLoginEx': { step: 'user', answer: login },
    '/apiws/v3/userExist': { step: 'user', answer: ofMailbox(() => json({ code: 0 })) },
  },
  busy: failed(42, 'database busy'),
  address: json({ code: 403, message: 'address not allowed' }, 403),
}
