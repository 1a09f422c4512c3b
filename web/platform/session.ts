import { useSyncExternalStore } from 'react'
import type { UserInformation } from '#shared/contract/sessions.ts'
import { KEPT, readJson } from './kept.ts'
import { forgetReplies } from './reply-cache.ts'

const listeners = new Set<() => void>()
let user = readJson<UserInformation>(localStorage, KEPT.user)

function changed(): void {
  user = readJson<UserInformation>(localStorage, KEPT.user)
  for (const listener of listeners) listener()
}

/** The request-binding half of the session; without the HttpOnly cookie it is worth nothing. */
export const sessionToken = (): string | null => localStorage.getItem(KEPT.token)

/** The logged-in person, or null. A user without an id is no user. */
export const sessionUser = (): UserInformation | null => (user?.userId ? user : null)

export const mustChangePassword = (): boolean => localStorage.getItem(KEPT.firstLogin) === '1'

export function storeSession(token: string, information: UserInformation): void {
  forgetReplies()
  localStorage.setItem(KEPT.user, JSON.stringify(information))
  storeFirstLogin(information.firstLogin === '1')
  // Last: other tabs act on it.
  localStorage.setItem(KEPT.token, token)
  changed()
}

type Changing = 'nick' | 'picture' | 'secondFactorDue' | 'isSuperUser' | 'powers'

/** What the person has changed about themselves, or others about them, shows everywhere at once. */
export function updateUser(changes: Partial<Pick<UserInformation, Changing>>): void {
  const current = sessionUser()
  if (!current) return
  localStorage.setItem(KEPT.user, JSON.stringify({ ...current, ...changes }))
  changed()
}

/** The same person under another nickname or picture; anybody else arrives with the token. */
function takeOverChanges(key: string): void {
  if (key === KEPT.user && readJson<UserInformation>(localStorage, KEPT.user)?.userId === user?.userId) changed()
}

export function storeFirstLogin(must: boolean): void {
  if (must) localStorage.setItem(KEPT.firstLogin, '1')
  else localStorage.removeItem(KEPT.firstLogin)
}

/** The activation flag: one was begun in this browser and is not over. What it holds is the server's to keep. */
export const activationWasBegun = (): boolean => localStorage.getItem(KEPT.activation) === '1'

export function storeActivation(isUnderway: boolean): void {
  if (isUnderway) localStorage.setItem(KEPT.activation, '1')
  else localStorage.removeItem(KEPT.activation)
}

/** Forgets the person in this browser; the cookie is the server's to end. */
export function removeSession(): void {
  forgetReplies()
  for (const name of [KEPT.user, KEPT.firstLogin, KEPT.activation, KEPT.token]) localStorage.removeItem(name)
  changed()
}

/**
 * Tells what other tabs did: `left` after a logout, `back` after a login where there was none, `changed` when it is somebody else.
 * @returns the way to stop.
 */
export function onOtherTab(act: (what: 'left' | 'back' | 'changed') => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key !== KEPT.token && event.key !== null) return takeOverChanges(event.key)
    const before = user?.userId
    changed()
    if (!sessionToken()) return before && act('left')
    if (before !== user?.userId) act(before ? 'changed' : 'back')
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}

export const useUser = (): UserInformation | null =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, sessionUser)
