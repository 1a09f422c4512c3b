import { expect, test } from 'vitest'
import { addressProblem } from './application-address.ts'

test('codes go in clear to a program on the own device only, whatever a name looks like', () => {
  for (const host of ['localhost', '127.0.0.1', '127.1', '[::1]']) {
    expect([host, addressProblem('redirect', `http://${host}:8000/back`)]).toEqual([host, null])
  }
  for (const host of ['127.evil.example', 'localhost.evil.example', '127.0.0.1.evil.example']) {
    expect([host, addressProblem('redirect', `http://${host}/back`)]).toEqual([host, 'insecure'])
  }
})
