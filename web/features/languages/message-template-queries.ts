import { queryOptions } from '@tanstack/react-query'
import type { WordingText } from '#shared/contract/languages.ts'
import {
  listMessageTemplates,
  type MessageTemplate,
  type MessageTemplateList,
} from '#shared/contract/message-templates.ts'
import { call } from '../../platform/api.ts'
import { TEXTS_KEY } from './text-queries.ts'

/** Refetched after every saved text. */
export const messageTemplatesQuery = () =>
  queryOptions({
    queryKey: [TEXTS_KEY, 'messages'],
    queryFn: ({ signal }) => call(listMessageTemplates, {}, { signal }),
  })

export const FOOTER_KEY = 'message.footer'

/** The keys of a message's texts, in page order. */
export const keysOf = ({ texts, event }: MessageTemplate): string[] => [
  texts.subject,
  texts.text,
  FOOTER_KEY,
  texts.sms,
  event,
]

export const textOf = ({ texts }: MessageTemplateList, key: string): WordingText | undefined =>
  texts.find((one) => one.key === key)

/** Is the message customised? Texts shared by all mails don't count. */
export const isWorded = (list: MessageTemplateList, template: MessageTemplate): boolean =>
  keysOf(template)
    .filter((key) => key !== FOOTER_KEY)
    .some((key) => textOf(list, key)?.texts.some(({ own }) => own !== null))
