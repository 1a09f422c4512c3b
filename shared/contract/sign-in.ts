import { z } from 'zod'

/** A tick box as forms, scripts and JSON write it. */
const Ticked = z
  .union([z.boolean(), z.enum(['true', 'on', '1', 'yes', 'false', 'off', '0', 'no', ''])])
  .optional()
  .transform((value) => value === true || (typeof value === 'string' && /^(true|on|1|yes)$/.test(value)))

/**
 * What `POST /fwk_cas_service/login` takes, form-encoded or JSON. Fields that CAS clients send by habit (`lt`, `execution`,
 * `_eventId`, `submit`) are ignored. The password is taken as it was typed: neither trimmed nor cut.
 */
export const SignInForm = z.object({
  username: z.string().min(1).max(256),
  password: z.string().min(1).max(1024),
  rememberMe: Ticked,
  warn: Ticked,
  captchaId: z.string().max(100).optional(),
  captcha: z.string().max(200).optional(),
})
export type SignInForm = z.output<typeof SignInForm>

/** `data` of a refused login: what the next try has to bring. */
export type SignInRefusalData = { captcha: { kind: 'proof-of-work' | 'picture' | 'slider' } | null }
