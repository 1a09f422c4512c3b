/** In UTC; institutions write 9999-12-31 for what never ends. */
export const STORABLE_YEARS = { first: 1900, last: 9999 }

const FROM = Date.UTC(STORABLE_YEARS.first, 0)
const TO = Date.UTC(STORABLE_YEARS.last + 1, 0)

/** Can a moment be kept? The years 0 and 10000, where an offset can lead, are none that PostgreSQL reads as they are written. */
export const isStorableMoment = (moment: Date): boolean => moment.getTime() >= FROM && moment.getTime() < TO
