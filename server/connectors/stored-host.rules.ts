import type { z } from 'zod'

/** A host among stored settings, or the vendor's own; null for one that can't be read, which must cost nobody the login page. */
export const storedHost = (host: z.ZodType<string>, stored: unknown, name: string): string | null =>
  host.safeParse((stored as Record<string, unknown>)[name]).data ?? null
