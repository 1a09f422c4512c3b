import { z } from 'zod'
import { Language } from '#shared/contract/endpoint.ts'
import { MESSAGE_TEMPLATES } from '#shared/rules/message-templates.ts'

const OwnWording = z.strictObject({
  subject: z.string().trim().min(1).max(200).optional(),
  text: z.string().trim().min(1).max(4000).optional(),
  sms: z.string().trim().min(1).max(300).optional(),
})

/** Settings document `message-templates`: the institution's own texts; missing ones are the shipped ones. */
export const MessageTemplates = z.partialRecord(z.enum(MESSAGE_TEMPLATES), z.record(Language, OwnWording))
