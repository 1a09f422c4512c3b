import { z } from 'zod'
import { Id } from './endpoint.ts'
import { isOneOfEach, mappingEntry } from './sync-mappings.ts'

/** What a sync reads. */
export const SYNC_OBJECTS = ['people', 'departments', 'both'] as const

/** The fields of a department from a source. */
export const DEPARTMENT_FIELDS = ['name', 'code', 'attribute', 'order'] as const
export type DepartmentField = (typeof DEPARTMENT_FIELDS)[number]

/** What happens to a department missing in the source: one with people or grants is never deleted. */
export const MISSING_DEPARTMENTS = ['keep', 'disable', 'delete-empty'] as const

export const DepartmentSyncFields = z.strictObject({
  /** A table or view; empty for an uploaded file. */
  table: z.string().trim().max(200).default(''),
  /** A permanent identifier of a department in the source. */
  keyColumn: z.string().trim().max(200).default(''),
  /** The key of the parent department. */
  parentColumn: z.string().trim().max(200).default(''),
  /** The values that mark top departments, and their parent here (null: the root of the tree). */
  roots: z
    .array(z.strictObject({ value: z.string().trim().max(500), organizationId: Id.nullable() }))
    .min(1)
    .max(20)
    .refine((roots) => new Set(roots.map(({ value }) => value)).size === roots.length)
    .default([{ value: '', organizationId: null }]),
  mapping: z
    .array(mappingEntry(z.enum(DEPARTMENT_FIELDS)))
    .max(DEPARTMENT_FIELDS.length)
    .refine(isOneOfEach)
    .default([]),
  /** Existing departments not linked yet are found by code. */
  matchByCode: z.boolean().default(true),
  missing: z
    .strictObject({
      action: z.enum(MISSING_DEPARTMENTS).default('keep'),
      /** Consecutive complete runs, and days, without it. */
      runs: z.number().int().min(1).max(100).default(2),
      days: z.number().int().min(0).max(365).default(3),
    })
    .prefault({}),
})
export type DepartmentSyncFields = z.output<typeof DepartmentSyncFields>
