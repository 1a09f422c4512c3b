import i18next from 'i18next'
import { expect, test, vi } from 'vitest'
import { sanitizeListState, toFilterChips, toListQuery } from './list-filter.ts'

// What is imported asks for the page's address.
vi.hoisted(() => vi.stubGlobal('location', new URL('https://portal.test/')))

const state = { pageIndex: 1, pageSize: 10, search: '', open: undefined }
const id = '0190a1b2-0000-7000-8000-000000000001'

test('unknown filters and orders of an address are not sent to the server', () => {
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

test('a period ends with its last day, or at its time of day', () => {
  const filters = [{ kind: 'period', label: 'Time' } as const]
  const asked = (given: Record<string, string>) => toListQuery(filters, { ...state, sort: undefined, filters: given })
  const local = (text: string) => new Date(text).toISOString()
  expect(asked({ from: '2026-11-01', to: '2026-11-01' })).toEqual({
    from: local('2026-11-01T00:00'),
    to: local('2026-11-02T00:00'),
  })
  expect(asked({ from: '2026-11-01T14:30', to: '2026-11-01T15:00' })).toEqual({
    from: local('2026-11-01T14:30'),
    to: local('2026-11-01T15:00'),
  })
  expect(asked({ from: '2026-11-01T14', to: '2026-11-01 15:00' })).toEqual({})
})

test('a chip shows the dates of a period in words, and an invalid date unchanged', async () => {
  await i18next.init({ lng: 'en' })
  const filters = [{ kind: 'period', label: 'Time' } as const]
  const words = (given: Record<string, string>) =>
    toFilterChips(filters, { ...state, sort: undefined, filters: given })[0]?.value
  expect(words({ from: '2026-11-01', to: '2026-11-23' })).toMatch(/^1 Nov 2026 – 23 Nov 2026$/)
  expect(words({ from: '2026-11-01T14:30' })).toMatch(/^1 Nov 2026, 14:30 – …$/)
  expect(words({ to: '2026-02-31x' })).toBe('… – 2026-02-31x')
})
