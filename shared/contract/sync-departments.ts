import { z } from 'zod'
import { Id } from './endpoint.ts'
import { ColumnName, isOneOfEach, mappingEntry } from './sync-mappings.ts'

/** What a sync reads. */
export const SYNC_OBJECTS = ['people', 'departments', 'both'] as const

/** What a source may say of a department. */
export const DEPARTMENT_FIELDS = ['name', 'code', 'attribute', 'order'] as const

/** What becomes of a department that the source has no longer: one with people, or with anything granted to it, is never deleted. */
export const MISSING_DEPARTMENTS = ['keep', 'disable', 'delete-empty'] as const

export const DepartmentSyncFields = z.strictObject({
  /** A table or view; empty of an uploaded file. */
  table: z.string().trim().max(200).default(''),
  /** What tells one department of the source from another, for ever. */
  keyColumn: ColumnName,
  /** The key of the department above. */
  parentColumn: ColumnName,
  /** What stands there for the top, and where here that is (null: the top of the whole tree). */
  roots: z
    .array(z.strictObject({ value: z.string().trim().max(500), organizationId: Id.nullable() }))
    .min(1)
    .max(20)
    .refine((roots) => new Set(roots.map(({ value }) => value)).size === roots.length)
    .default([{ value: '', organizationId: null }]),
  mapping: z
    .array(mappingEntry(z.enum(DEPARTMENT_FIELDS)))
    .min(1)
    .max(DEPARTMENT_FIELDS.length)
    .refine(isOneOfEach),
  /** A department that is here already and not linked yet is known by its code. */
  matchByCode: z.boolean().default(true),
  missing: z
    .strictObject({
      action: z.enum(MISSING_DEPARTMENTS).default('keep'),
      /** Complete runs in a row, and days, without it. */
      runs: z.number().int().min(1).max(100).default(2),
      days: z.number().int().min(0).max(365).default(3),
    })
    .prefault({}),
})
export type DepartmentSyncFields = z.output<typeof DepartmentSyncFields>
