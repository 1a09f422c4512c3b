import { validate as isUuid } from 'uuid'
import type { Snapshot } from '../records/index.ts'
import type { RedactedRow } from './redaction.service.ts'

export const isSnapshot = (value: unknown): value is Snapshot =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fields that refer to something else by its id, alone or in a list, at any depth, and to which kind. */
const REFERENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'access-rule': { organizations: 'organization', roles: 'role', ranges: 'ip-range' },
  application: { categoryId: 'application-category' },
  'application-category': { parentId: 'application-category' },
  'book-sync': { organizationId: 'organization', categoryIds: 'user-category', responsibleIds: 'user' },
  appointment: { organizationId: 'organization' },
  'directory-sync': { organizationId: 'organization', responsibleIds: 'user', sourceId: 'data-source' },
  organization: { parentId: 'organization' },
}

/** The target of something else. */
export type Reference = { kind: string; id: string }

/** The themes that a state of the appearance names. */
function themesIn({ theme, schedule }: Snapshot): Reference[] {
  const windows: unknown[] = Array.isArray(schedule) ? schedule : []
  const ids = [theme, ...windows.map((window) => isSnapshot(window) && window['theme'])]
  return ids.flatMap((id) => (typeof id === 'string' && isUuid(id) ? [{ kind: 'theme', id }] : []))
}

/** What both sides of a record refer to by id. */
export function referencesOf({ targetKind, targetId, before, after }: RedactedRow): Reference[] {
  if (targetKind === 'settings' && targetId === 'appearance') {
    return [before, after].flatMap((side) => (isSnapshot(side) ? themesIn(side) : []))
  }
  const kinds = REFERENCES[targetKind]
  return kinds ? [before, after].flatMap((side) => referencesIn(side, kinds)) : []
}

/** @param kind of what a string here refers to */
function referencesIn(value: unknown, kinds: Readonly<Record<string, string>>, kind?: string): Reference[] {
  if (typeof value === 'string') return kind ? [{ kind, id: value }] : []
  if (Array.isArray(value)) return value.flatMap((one) => referencesIn(one, kinds, kind))
  if (!isSnapshot(value)) return []
  return Object.entries(value).flatMap(([field, one]) => referencesIn(one, kinds, kinds[field]))
}
