import { z } from 'zod'
import { Done, get, post } from './endpoint.ts'

/**
 * The portal's own call-back: a browser arrives with `casParameter` (JSON `{redirectUrl}`) and `ticket`, and is led on to
 * `redirectUrl` with `jsessionid`, the hand-over code that `/login/pc/` redeems.
 */
export const casLogin = get('/cas/login/', 'public', z.looseObject({}), Done, {
  summary: 'Come back from the central login',
  signed: false,
})

/** Every CAS service may be told of a logout; the portal needs no telling, its sessions end with the login. */
export const casLoginNotice = post('/cas/login/', 'public', z.looseObject({}), Done, {
  summary: 'Take a single-logout message',
  query: z.looseObject({}),
  signed: false,
})
