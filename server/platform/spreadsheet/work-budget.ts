import { errors } from './spreadsheet.errors.ts'

/** Tags that a workbook may contain besides its content: a million empty rows, formats, the list of its parts. */
const FREE_TAGS = 4_000_000
/** Characters that take as long to scan as a tag. */
const CHARACTERS_PER_TAG = 50
/** Programs write shorter ones; their cost is included in the tag's. */
const ORDINARY_TAG = 256
/** The shortest entity is `&lt;`. */
const CHARACTERS_PER_ENTITY = 4

/**
 * What reading a workbook may cost, counted in tags of about a ten-millionth of a second. A small file can unpack to hundreds of megabytes
 * of nothing, so work must be earned: by each row and text that results from it.
 */
export type WorkBudget = {
  chargeTag(parts: 1 | 2, length: number): void
  chargeText(length: number): void
  chargeEntities(text: string): void
  /** A row with this many cells was read; it may have had empty ones as well. */
  creditRow(cells: number): void
  /** A shared text was read. */
  creditText(): void
  /** @throws Refusal `sheet.too-big-inside`. */
  check(): void
}

export function createWorkBudget(): WorkBudget {
  let left = FREE_TAGS
  const spend = (tags: number): void => {
    left -= tags
  }
  return {
    // Its attributes are searched one after the other.
    chargeTag: (parts, length) => spend(length > ORDINARY_TAG ? parts + length / CHARACTERS_PER_TAG : parts),
    chargeText: (length) => spend(length / CHARACTERS_PER_TAG),
    chargeEntities: (text) => spend(text.length / CHARACTERS_PER_ENTITY),
    creditRow: (cells) => spend(-100 - 16 * cells),
    creditText: () => spend(-5),
    check() {
      if (left < 0) throw errors['sheet.too-big-inside']()
    },
  }
}
