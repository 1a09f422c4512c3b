import { STORAGE_KEYS } from './browser-storage.ts'
import { serverNow } from './server-clock.ts'
import { randomUuid, signRequest } from './signing.ts'

type EarlyCall = { path: string; query?: Record<string, string>; background?: boolean }

const ADMINISTRATION: EarlyCall = { path: '/administrator_manage/mine/', background: true }
const ACCOUNT_SECURITY: EarlyCall = { path: '/user_information/account_security/', background: true }

/**
 * The read calls that pages begin with, by address; `{userId}` is the logged-in person. A journey compares this with
 * the pages' real calls.
 */
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

const started = new Map<string, Promise<Response>>()

/**
 * Starts a page's first calls before the scripts that make them have loaded. Errors surface when the call is made
 * again.
 */
export function askEarly(pathname: string): void {
  const token = localStorage.getItem(STORAGE_KEYS.token)
  // A query changes what is shown, or carries a login, which comes first; so does a first password.
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
  started.set(address, answer)
}

/**
 * The answer to a call made early with this token, once; null if there is none, or if a repeated call might be answered
 * differently.
 */
export async function takeEarlyAnswer(address: string, token: string | null): Promise<Response | null> {
  const answer = started.get(address)
  started.delete(address)
  if (!answer || token !== localStorage.getItem(STORAGE_KEYS.token)) return null
  try {
    const response = await answer
    // A repeated call of an ended session would find no token and miss the reason.
    return response.ok || response.status === 401 ? response : null
  } catch {
    return null
  }
}
