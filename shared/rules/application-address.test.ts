import { expect, test } from 'vitest'
import { addressProblem } from './application-address.ts'

test('codes are sent unencrypted only to a program on the own device, whatever a name looks like', () => {
  for (const host of ['localhost', '127.0.0.1', '127.1', '[::1]']) {
    expect([host, addressProblem('redirect', `http://${host}:8000/back`)]).toEqual([host, null])
  }
  for (const host of ['127.evil.example', 'localhost.evil.example', '127.0.0.1.evil.example']) {
    expect([host, addressProblem('redirect', `http://${host}/back`)]).toEqual([host, 'insecure'])
  }
})

test('a wildcard host is reported as such', () => {
  for (const kind of ['page', 'exact', 'service', 'redirect'] as const) {
    for (const address of ['https://*', 'https://*/', 'https://*.good.test/']) {
      expect([kind, address, addressProblem(kind, address)]).toEqual([kind, address, 'host'])
    }
  }
})

test('a path with dot segments can not be registered, however it is written', () => {
  for (const path of ['/a/../**', '/a/%2e%2E/**', '/./x', '/a/..', '/.%2e;x/**', '/..%2f..%2fx', '/a%5c..%5cb']) {
    for (const kind of ['service', 'exact', 'redirect'] as const) {
      const problem = addressProblem(kind, `https://good.test${path}`)
      expect([kind, path, problem]).toEqual([kind, path, 'dot-segment'])
    }
  }
  for (const path of ['/.well-known/**', '/a..b/**', '/...', '/x?to=/../y', '/']) {
    expect([path, addressProblem('service', `https://good.test${path}`)]).toEqual([path, null])
  }
  expect(addressProblem('page', 'https://good.test/#/../x')).toBe(null)
})
