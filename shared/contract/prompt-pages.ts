import { z } from 'zod'
import { get } from './endpoint.ts'
import { WordingText } from './languages.ts'

/** The pages of user prompts, by the last part of their address `/manage/tip-edit/…`. */
export const PROMPT_PAGES = [
  'account-login',
  'account-error',
  'dynamicCode-login',
  'get-password',
  'account-activate',
  'userData-add',
  'phone-bind',
] as const
export const PromptPageName = z.enum(PROMPT_PAGES)
export type PromptPageName = z.infer<typeof PromptPageName>

/** A text and the screen that shows it. */
const PromptText = WordingText.extend({ screen: z.string() })
export type PromptText = z.infer<typeof PromptText>

export const findPromptPage = get(
  '/language/prompt/',
  'superUser',
  z.strictObject({ page: PromptPageName }),
  z.object({
    /** In the order in which people see them; the messages are `prompt-screen.<page>.<screen>`. */
    screens: z.array(z.string()),
    texts: z.array(PromptText),
  }),
  {
    summary: 'The texts of a page of user prompts, each with the state of the screen that shows it',
  },
)
