import type { Transform, TransformKind } from '#shared/contract/sync-mappings.ts'
import type { MessageKey } from '../../platform/i18n.ts'

/** The input of a step's parameter; `rows`: pairs of a value and its replacement. */
export type PartKind =
  | 'text'
  | 'optional-text'
  | 'number'
  | 'optional-number'
  | 'column'
  | 'columns'
  | 'rows'
  | 'date'
  | 'side'

type Part = { name: string; kind: PartKind; label: MessageKey }

/** The parameters of each step, by their names in the contract. */
export const TRANSFORM_PARTS: Record<TransformKind, readonly Part[]> = {
  trim: [],
  halfwidth: [],
  upper: [],
  lower: [],
  phone: [],
  date: [{ name: 'format', kind: 'date', label: 'sync-transform.date.format' }],
  replace: [
    { name: 'search', kind: 'text', label: 'sync-transform.replace.search' },
    { name: 'with', kind: 'text', label: 'sync-transform.replace.with' },
  ],
  substring: [
    { name: 'from', kind: 'number', label: 'sync-transform.substring.from' },
    { name: 'length', kind: 'optional-number', label: 'sync-transform.substring.length' },
  ],
  split: [
    { name: 'separator', kind: 'text', label: 'sync-transform.separator' },
    { name: 'part', kind: 'number', label: 'sync-transform.split.part' },
  ],
  pad: [
    { name: 'length', kind: 'number', label: 'sync-transform.pad.length' },
    { name: 'with', kind: 'text', label: 'sync-transform.pad.with' },
    { name: 'side', kind: 'side', label: 'sync-transform.pad.side' },
  ],
  map: [
    { name: 'table', kind: 'rows', label: 'sync-transform.map.table' },
    { name: 'otherwise', kind: 'optional-text', label: 'sync-transform.map.otherwise' },
  ],
  copy: [{ name: 'column', kind: 'column', label: 'sync-transform.column' }],
  firstOf: [{ name: 'columns', kind: 'columns', label: 'sync-transform.column' }],
  join: [
    { name: 'columns', kind: 'columns', label: 'sync-transform.column' },
    { name: 'separator', kind: 'text', label: 'sync-transform.separator' },
  ],
  template: [{ name: 'text', kind: 'text', label: 'sync-transform.template.text' }],
  const: [{ name: 'value', kind: 'text', label: 'sync-transform.const.value' }],
}

export const TRANSFORM_KINDS = Object.keys(TRANSFORM_PARTS) as TransformKind[]

const NEW: Record<TransformKind, Transform> = {
  trim: { kind: 'trim' },
  halfwidth: { kind: 'halfwidth' },
  upper: { kind: 'upper' },
  lower: { kind: 'lower' },
  phone: { kind: 'phone' },
  date: { kind: 'date', format: 'YYYYMMDD' },
  replace: { kind: 'replace', search: '', with: '' },
  substring: { kind: 'substring', from: 1, length: null },
  split: { kind: 'split', separator: '', part: 1 },
  pad: { kind: 'pad', length: 8, with: '0', side: 'start' },
  map: { kind: 'map', table: [{ from: '', to: '' }], otherwise: null },
  copy: { kind: 'copy', column: '' },
  firstOf: { kind: 'firstOf', columns: [] },
  join: { kind: 'join', columns: [], separator: ' ' },
  template: { kind: 'template', text: '{}' },
  const: { kind: 'const', value: '' },
}

/** A step with its initial parameters. */
export const newTransform = (kind: TransformKind): Transform => structuredClone(NEW[kind])
