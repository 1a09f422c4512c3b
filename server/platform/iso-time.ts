/** A moment as answers have it; null where there is none. */
export const toIso = (moment: Date | null | undefined): string | null => moment?.toISOString() ?? null
