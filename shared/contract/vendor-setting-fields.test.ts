import { expect, test } from 'vitest'
import { vendorId } from './vendor-setting-fields.ts'

test('the id of an application at a vendor leads no address to another path', () => {
  for (const id of ['.', '..', ' .. ', '...', 'a/..', '', 'a b'])
    expect([id, vendorId.safeParse(id).success]).toEqual([id, false])
  for (const id of ['ww1a2b', 'com.example-app', 'a..b', '.hidden']) expect(vendorId.parse(id)).toBe(id)
})
