/** A timestamp as answers contain it; null if there is none. */
export const toIso = (moment: Date | null | undefined): string | null => moment?.toISOString() ?? null
