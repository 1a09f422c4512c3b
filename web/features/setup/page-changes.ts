import type { LoginPageSettings } from '#shared/contract/login-page.ts'

/** The keys of a document whose values differ. */
export const changesOf = <Value extends object>(before: Value, now: Value): Partial<Value> =>
  Object.fromEntries(
    Object.entries(now).filter(([key, value]) => JSON.stringify(before[key as keyof Value]) !== JSON.stringify(value)),
  ) as Partial<Value>

/** One that is being typed is no link yet. */
export const isWholeLink = ({ texts, url }: LoginPageSettings['links'][number]): boolean =>
  URL.canParse(url) && /^https?:/.test(url) && Object.keys(texts).length > 0
