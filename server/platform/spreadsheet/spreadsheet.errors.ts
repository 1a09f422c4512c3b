import { defineErrors } from '../errors.ts'

export const errors = defineErrors({
  'sheet.broken': 422,
  'sheet.empty': 422,
  'sheet.encrypted': 422,
  'sheet.not-a-sheet': 422,
  'sheet.old-excel': 422,
  'sheet.row-too-long': 422,
  'sheet.too-big-inside': 422,
  'sheet.too-many-columns': 422,
  'sheet.too-many-rows': 422,
  'sheet.too-much-text': 422,
  'sheet.unknown-encoding': 422,
  'sheet.unsafe': 422,
})
