import type { Slide } from '#shared/contract/home-page.ts'
import type { LoginPageSettings } from '#shared/contract/login-page.ts'

/** The keys of a document whose values differ. */
export const changesOf = <Value extends object>(before: Value, now: Value): Partial<Value> =>
  Object.fromEntries(
    Object.entries(now).filter(([key, value]) => JSON.stringify(before[key as keyof Value]) !== JSON.stringify(value)),
  ) as Partial<Value>

const isWebAddress = (url: string): boolean => URL.canParse(url) && /^https?:/.test(url)

/** Is the link complete? */
export const isWholeLink = ({ texts, url }: LoginPageSettings['links'][number]): boolean =>
  isWebAddress(url) && Object.keys(texts).length > 0

/** Is the slide complete: with text, and a valid link if any? */
export const isWholeSlide = ({ alternatives, url, from, until }: Slide): boolean =>
  Object.values(alternatives).some((text) => text.trim() !== '') &&
  (url === null || isWebAddress(url)) &&
  (!from || !until || new Date(from) < new Date(until))
