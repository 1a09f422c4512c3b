import { z } from 'zod'
import { Done, Language, post } from './endpoint.ts'
import { GatewayTest, MailGateway, MailTest, SmsGateway, SmsTest } from './message-gateways.ts'
import { LOGO_BODY_BYTES, LogoUpload } from './system-settings.ts'

/**
 * The one-time token of the setup link `<PUBLIC_URL>/auth_web/setup#<token>`. It is in the fragment, so that no server
 * log and no Referer contains it; the page sends it in the body.
 */
const Token = z.string().min(1).max(100)

/** Once the first administrator exists, every setup call answers 404 `setup.closed`. */
const refusals = ['setup.closed', 'setup.link-invalid'] as const

/** What the bootstrap file already sets, and is not asked for. For the institution by key. */
const SetByFile = z.object({ institution: z.array(z.string()), mail: z.boolean(), sms: z.boolean() })
export type SetByFile = z.infer<typeof SetByFile>

export const setupState = post(
  '/setup/state/',
  'public',
  z.strictObject({ token: Token }),
  z.object({
    /** The address that people will use; if it is wrong, PUBLIC_URL is. */
    publicUrl: z.string(),
    https: z.boolean(),
    passwordMinLength: z.number().int(),
    passwordMaxLength: z.number().int(),
    passwordLevel: z.number().int(),
    setByFile: SetByFile,
  }),
  { summary: 'Whether the setup link is still valid, and the data for the first page', errors: refusals },
)

export const testSetupMail = post(
  '/setup/test_mail/',
  'public',
  MailTest.extend({ token: Token }),
  GatewayTest.result,
  { summary: 'Sends a test mail with the settings in the form', errors: [...refusals, ...GatewayTest.errors] },
)

export const testSetupSms = post('/setup/test_sms/', 'public', SmsTest.extend({ token: Token }), GatewayTest.result, {
  summary: 'Sends a test text message with the settings in the form',
  errors: [...refusals, ...GatewayTest.errors],
})

const text = (most: number) => z.string().trim().min(1).max(most)

export const completeSetup = post(
  '/setup/complete/',
  'public',
  z.strictObject({
    token: Token,
    administrator: z.strictObject({
      account: text(64).regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u),
      name: text(60),
      password: z.string().min(1).max(128),
    }),
    institution: z.strictObject({
      /** The name by language; one is enough. */
      names: z.record(Language, text(60)).default({}),
      /** Office, address, phone number: one line, shown on the login page. */
      contacts: z.record(Language, text(120)).default({}),
      logo: LogoUpload.nullable().default(null),
    }),
    /** Null: skipped, can be set later. */
    mail: MailGateway.nullable().default(null),
    sms: SmsGateway.nullable().default(null),
  }),
  Done,
  {
    summary: 'Create the first administrator, name the institution and set up the gateways; works once',
    errors: [
      ...refusals,
      'setup.account-taken',
      'settings.set-by-file',
      'password.too-weak',
      'file.unreadable-picture',
      'file.busy',
    ],
    mostBodyBytes: LOGO_BODY_BYTES,
  },
)
