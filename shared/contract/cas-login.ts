import { z } from 'zod'
import { Done, get, post } from './endpoint.ts'

/**
 * The portal's own callback: a browser arrives with `casParameter` (JSON `{redirectUrl}`) and `ticket`, and is
 * redirected to `redirectUrl` with `jsessionid`, the hand-over code for `/login/pc/`.
 */
export const casLogin = get('/cas/login/', 'public', z.looseObject({}), Done, {
  summary: 'Come back from the central login',
  signed: false,
})

/** Every CAS service may receive logout messages; the portal ignores them, because its sessions end with the login. */
export const casLoginNotice = post('/cas/login/', 'public', z.looseObject({}), Done, {
  summary: 'Take a single-logout message',
  query: z.looseObject({}),
  signed: false,
})
