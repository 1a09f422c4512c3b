import { z } from 'zod'
import { Done, Empty, post } from './endpoint.ts'

/** Settings document `access`. */
export const AccessSettings = z.strictObject({
  /** By `npm run admin -- policies off`: no rule does anything, those of the login configuration included. */
  suspended: z.boolean().default(false),
})
export type AccessSettings = z.infer<typeof AccessSettings>

/** The way back from `npm run admin -- policies off`; off they go by the command line alone. */
export const switchPoliciesOnCall = post('/access_rule/switch_on/', 'superUser', Empty, Done, {
  summary: 'Let the access rules hold again that were switched off on the command line',
  errors: ['settings.set-by-file', 'policy.locks-out'],
})
