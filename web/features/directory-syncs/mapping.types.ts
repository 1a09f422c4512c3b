import type { Transform } from '#shared/contract/sync-mappings.ts'

export type MappingEntry<Field extends string> = { field: Field; column: string; transforms: Transform[] }

export type FieldOption<Field extends string> = { value: Field; label: string }
