import { isDeepStrictEqual } from 'node:util'
import { customName } from '#shared/contract/field-rules.ts'
import type { SyncMatch } from '#shared/contract/sync-matches.ts'
import type { ImportField } from '#shared/contract/user-imports.ts'
import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import { toE164 } from '#shared/rules/phone.ts'
import { openIfReadable } from '../../platform/crypto.ts'
import { toIso } from '../../platform/iso-time.ts'
import type { Context } from '../../platform/platform.ts'
import { maskValue } from '../data-sources/index.ts'
import { personField } from '../field-authority/index.ts'
import type { PersonInput } from '../people-save/index.ts'
import { loadValueWords } from '../user-imports/index.ts'
import type { MatchPerson } from './matches.store.ts'

/** A field of a row that waits for a decision, as it is kept: sealed, and even so without contacts and ID numbers. */
type KeptField = {
  field: ImportField
  /** As the source writes it, masked if necessary. */
  value: string
  /** As it was read; absent: nothing, or it is masked. */
  read?: unknown
  /** Identifies a masked value. */
  mark?: string
}

type Masked = { canonical(value: string): string; mask(value: string): string }
const MASKS: Readonly<Record<string, Masked>> = {
  phone: { canonical: (value) => toE164(value) ?? value, mask: maskPhone },
  mailbox: { canonical: (value) => value.toLowerCase(), mask: maskMailbox },
  idNumber: { canonical: (value) => value.toUpperCase(), mask: maskValue },
}

const MARK_LENGTH = 22
const markOf = ({ secrets }: Context, value: string): string =>
  secrets.mac(value).toString('base64url').slice(0, MARK_LENGTH)

/** The field of a person, also where no sync owns it. */
const nameOf = (field: ImportField): string => personField(field) ?? field

/** @param read what could be read of the row @param value as the source writes it */
export function keepField(ctx: Context, field: ImportField, value: string, person: PersonInput | null): KeptField {
  const read = (person as Record<string, unknown> | null)?.[nameOf(field)]
  const masked = MASKS[field]
  if (!masked) return { field, value: value.slice(0, 200), ...(read !== undefined && { read }) }
  const text = masked.canonical(typeof read === 'string' ? read : value)
  return { field, value: text && masked.mask(text), ...(text && { mark: markOf(ctx, text) }) }
}

type Compared = { kept: readonly KeptField[]; people: readonly MatchPerson[] }
type Comparison = Pick<SyncMatch, 'source' | 'people'>
type WordOf = Awaited<ReturnType<typeof loadValueWords>>

/** Values of rows and of their candidates, in the same words; a candidate's says whether it differs. Names are read once for all. */
export async function compareMatches<Row>(
  ctx: Context,
  matches: readonly (Compared & { row: Row })[],
): Promise<(Comparison & { row: Row })[]> {
  const sides = matches.map((match) => ({
    ...match,
    read: Object.fromEntries(
      match.kept.flatMap(({ field, read }) => (read === undefined ? [] : [[nameOf(field), read]])),
    ),
    here: match.people.map((person) => valuesOf(ctx, person)),
  }))
  const wordOf = await loadValueWords(
    ctx,
    sides.flatMap(({ read, here }) => [read, ...here]),
  )
  return sides.map((side) => ({ row: side.row, ...compareSides(ctx, side, wordOf) }))
}

type Values = Record<string, unknown>
type Sides = Compared & { read: Values; here: readonly Values[] }

function compareSides(ctx: Context, { kept, people, read, here }: Sides, wordOf: WordOf): Comparison {
  const shown = (field: ImportField, values: Values) =>
    field === 'idNumber' ? maskValue(String(values['idNumber'] ?? '')) : wordOf(nameOf(field), values)
  return {
    source: kept.map((one) => ({
      field: one.field,
      value: one.read === undefined ? one.value : shown(one.field, read),
    })),
    people: people.map(({ id, account, name }, at) => {
      const own = here[at] ?? {}
      const values = kept.map((one) => ({
        field: one.field,
        value: shown(one.field, own),
        differs: isDifferent(ctx, one, own[nameOf(one.field)]),
      }))
      return { id, account, name, values }
    }),
  }
}

/** An empty value of the source leaves the field as it is. */
function isDifferent(ctx: Context, { field, value, read, mark }: KeptField, here: unknown): boolean {
  const masked = MASKS[field]
  if (mark !== undefined) return typeof here !== 'string' || markOf(ctx, masked?.canonical(here) ?? here) !== mark
  if (read !== undefined) return !isDeepStrictEqual(read, here)
  return value !== ''
}

function valuesOf(ctx: Context, person: MatchPerson): Values {
  const { id: _, customValues, validFrom, validUntil, idNumber, ...fields } = person
  return {
    ...fields,
    ...{ validFrom: toIso(validFrom), validUntil: toIso(validUntil) },
    idNumber: openIfReadable(ctx.secrets, idNumber),
    ...Object.fromEntries(Object.entries(customValues ?? {}).map(([key, value]) => [customName(key), value])),
  }
}
