import type { z } from 'zod'

/** A host from stored settings, or the vendor's default; null if it can't be parsed, which must not break the login page. */
export const storedHost = (host: z.ZodType<string>, stored: unknown, name: string): string | null =>
  host.safeParse((stored as Record<string, unknown>)[name]).data ?? null
