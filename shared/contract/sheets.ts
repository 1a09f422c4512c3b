/** Why a file can't be read as a table. */
export const SHEET_ERRORS = [
  'sheet.broken',
  'sheet.empty',
  'sheet.encrypted',
  'sheet.not-a-sheet',
  'sheet.old-excel',
  'sheet.row-too-long',
  'sheet.too-big-inside',
  'sheet.too-many-columns',
  'sheet.too-many-rows',
  'sheet.too-much-text',
  'sheet.unknown-encoding',
  'sheet.unsafe',
] as const
