import { z } from 'zod'
import { Empty, get, Language } from './endpoint.ts'

/** The languages that the institution offers, in its order, each in its own name. */
export const listLanguages = get(
  '/language/',
  'public',
  Empty,
  z.array(z.object({ code: Language, name: z.string() })),
  { summary: 'The interface languages' },
)

/** The wording of one language with the institution's changes; the list has one entry, which carries the code. */
export const translatedMessages = get(
  '/language/messages/',
  'public',
  z.strictObject({
    language: Language,
    /** 0: the interface. */
    firstType: z.coerce.number().int().min(0).max(0).default(0),
  }),
  z.array(z.object({ code: Language, messages: z.record(z.string(), z.string()) })),
  { summary: 'The translated messages' },
)
