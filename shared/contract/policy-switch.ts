import { z } from 'zod'
import { Done, Empty, post } from './endpoint.ts'

/** Settings document `access`. */
export const AccessSettings = z.strictObject({
  /** Set by `npm run admin -- policies off`: no rule applies, including those of the login configuration. */
  suspended: z.boolean().default(false),
})
export type AccessSettings = z.infer<typeof AccessSettings>

/** Reverts `npm run admin -- policies off`, which only the command line can set. */
export const switchPoliciesOnCall = post('/access_rule/switch_on/', 'superUser', Empty, Done, {
  summary: 'Enable the access rules again after they were suspended on the command line',
  errors: ['settings.set-by-file', 'policy.locks-out'],
})
