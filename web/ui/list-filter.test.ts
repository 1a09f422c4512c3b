import { expect, test } from 'vitest'
import { sanitizeListState } from './list-filter.ts'

const state = { pageIndex: 1, pageSize: 10, search: '', open: undefined }
const id = '0190a1b2-0000-7000-8000-000000000001'

test('what an address asks for and the list does not have is not asked of the server', () => {
  const columns = [{ key: 'name', sortable: true }, { key: 'phone' }]
  const filters = [
    { name: 'state', label: 'State', options: [{ value: 'locked', label: 'Locked' }] },
    { name: 'role', label: 'Role', options: [{ value: 'other', label: 'Other' }] },
    { name: 'ip', label: 'Address' },
    { kind: 'period', label: 'Time' } as const,
  ]
  const known = (sort: string, given: Record<string, string>) => {
    const { sort: order, filters: kept } = sanitizeListState({ ...state, sort, filters: given }, filters, columns)
    return [order, kept]
  }
  expect(known('evil', { state: 'evil', role: 'evil', ip: '10.0.0.1' })).toEqual([undefined, { ip: '10.0.0.1' }])
  expect(known('-phone', { from: '2026-01-01' })).toEqual([undefined, { from: '2026-01-01' }])
  expect(known('-name', { state: 'locked', role: id })).toEqual(['-name', { state: 'locked', role: id }])
})
