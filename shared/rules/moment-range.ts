/** In UTC; institutions write 9999-12-31 for unlimited. */
export const STORABLE_YEARS = { first: 1900, last: 9999 }

const FROM = Date.UTC(STORABLE_YEARS.first, 0)
const TO = Date.UTC(STORABLE_YEARS.last + 1, 0)

/**
 * Can a time be stored? PostgreSQL does not read the years 0 and 10000, which an offset can produce, as they are
 * written.
 */
export const isStorableMoment = (moment: Date): boolean => moment.getTime() >= FROM && moment.getTime() < TO
