import { STORAGE_KEYS } from './browser-storage.ts'
import { serverNow } from './server-clock.ts'
import { randomUuid, signRequest } from './signing.ts'

type EarlyCall = { path: string; query?: Record<string, string>; background?: boolean }

const ADMINISTRATION: EarlyCall = { path: '/administrator_manage/mine/', background: true }
const ACCOUNT_SECURITY: EarlyCall = { path: '/user_information/account_security/', background: true }

/** Reading calls that pages begin with, by address; `{userId}` stands for whoever is logged in. A journey holds this against what pages ask. */
const CALLS: Record<string, EarlyCall[]> = {
  '/my-apps': [
    { path: '/user_information/{userId}/app/', query: { pageSize: '1000' } },
    { path: '/home_page/mine/', background: true },
    ACCOUNT_SECURITY,
    ADMINISTRATION,
  ],
  '/account-security/set-account': [{ ...ACCOUNT_SECURITY, background: false }, ADMINISTRATION],
  '/manage/home': [ADMINISTRATION],
  '/manage/organization': [
    { path: '/organization/children/', query: { pageIndex: '1', pageSize: '200' } },
    { path: '/user_information/query/', query: { pageIndex: '1', pageSize: '10' } },
    { path: '/table/query', query: { tableKey: 'people' }, background: true },
    { path: '/person_field/query/' },
    { path: '/unconfirmed_change/query/', background: true },
    ADMINISTRATION,
  ],
}

const asked = new Map<string, Promise<Response>>()

/** Makes the first calls of a page before the scripts are here that make calls. What goes wrong with one shows when it is made again. */
export function askEarly(pathname: string): void {
  const token = localStorage.getItem(STORAGE_KEYS.token)
  // A query says what else is to be shown, or carries a login, which comes first; so does a first password.
  if (!token || location.search !== '' || localStorage.getItem(STORAGE_KEYS.firstLogin)) return
  for (const one of CALLS[pathname.replace(/^\/auth_web|\/$/g, '')] ?? []) ask(one, token)
}

function ownId(): string {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEYS.user) ?? '').userId
  } catch {
    return ''
  }
}

function ask({ path: below, query: given = {}, background }: EarlyCall, token: string): void {
  const path = `/auth_service${below.replace('{userId}', ownId())}`
  const query = new URLSearchParams(given)
  const address = `${path}?${query}`
  query.set('uuids', randomUuid())
  const timestamp = String(serverNow())
  const answer = signRequest(timestamp, 'GET', path, query, '').then((sign) =>
    fetch(`${path}?${query}`, {
      headers: { accept: 'application/json', timestamp, sign, token, ...(background && { 'x-background': '1' }) },
      credentials: 'same-origin',
      cache: 'no-store',
    }),
  )
  answer.catch(() => {})
  asked.set(address, answer)
}

/** The answer to a call that was made early with this token, once; null when there is none, or one that may be another if it is asked again. */
export async function takeEarlyAnswer(address: string, token: string | null): Promise<Response | null> {
  const answer = asked.get(address)
  asked.delete(address)
  if (!answer || token !== localStorage.getItem(STORAGE_KEYS.token)) return null
  try {
    const response = await answer
    // Asked once more, a call of an ended session would find no token and not hear why it ended.
    return response.ok || response.status === 401 ? response : null
  } catch {
    return null
  }
}
