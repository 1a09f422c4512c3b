import { expect, test } from 'vitest'
import { decryptEvent, encryptEvent, isSignedBy, signEvent } from './event-crypto.rules.ts'
import { dingdingEvent, encryptedOf, qywxEvent } from './vendor-event.rules.ts'

/** From WeCom's own library. */
const TOKEN = 'TokenForTest'
const SECRETS = { token: TOKEN, aesKey: 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG', receiver: 'ww0000000000000001' }
const MESSAGE = '<xml><ToUserName><![CDATA[ww0000000000000001]]></ToUserName></xml>'
const ENCRYPTED =
  'Q3stYC6hdFzMh9T8HCvyDPxT8pVuKlvhO2gcUVTTixhfASQQkEHObtghwyfi1RVwl9J1AHnNNGtdd3UowJxRK8uSAetn5dxKmuJU2mvSiOeDEq/tObz2kS7LCvd2scwLmznaO5Y2R8RQEv7gxJrGs8ZnTv7N/tEh8WFZV70/aD0='
const SIGNED = { timestamp: '1700000000', nonce: 'nonce123', encrypted: ENCRYPTED }

test('events are signed and encrypted as WeCom’s own library does it', () => {
  expect(encryptEvent(SECRETS, MESSAGE, Buffer.from('0123456789abcdef'))).toBe(ENCRYPTED)
  expect(decryptEvent(SECRETS, ENCRYPTED)).toBe(MESSAGE)
  expect(signEvent(TOKEN, SIGNED)).toBe('4bf5721f0dc7443055967cc90cbcb3b4fea2063f')
  expect(isSignedBy(TOKEN, SIGNED, '4bf5721f0dc7443055967cc90cbcb3b4fea2063f')).toBe(true)
  for (const wrong of ['', '4bf5721f0dc7443055967cc90cbcb3b4fea2063e', 'x'])
    expect(isSignedBy(TOKEN, SIGNED, wrong)).toBe(false)
})

test('what was encrypted for another receiver, with another key or not at all is no event', () => {
  expect(decryptEvent({ ...SECRETS, receiver: 'ww0000000000000002' }, ENCRYPTED)).toBeNull()
  expect(decryptEvent({ ...SECRETS, aesKey: 'A'.repeat(43) }, ENCRYPTED)).toBeNull()
  for (const wrong of ['', 'AAAA', Buffer.alloc(16).toString('base64'), Buffer.alloc(64, 1).toString('base64')])
    expect(decryptEvent(SECRETS, wrong)).toBeNull()
})

const qywx = (type: string, more: string) =>
  qywxEvent(
    `<xml><MsgType><![CDATA[event]]></MsgType><Event><![CDATA[change_contact]]></Event><ChangeType>${type}</ChangeType>${more}</xml>`,
  )

test('an event names people to read again, or requires a full run', () => {
  expect(qywx('create_user', '<UserID><![CDATA[LiLei]]></UserID>')).toMatchObject({
    people: ['lilei'],
    needsAll: false,
  })
  expect(qywx('update_user', '<UserID>a</UserID><NewUserID>b</NewUserID>')).toMatchObject({
    people: ['b'],
    needsAll: true,
  })
  expect(qywx('delete_user', '<UserID>a</UserID>')).toMatchObject({ people: [], needsAll: true })
  expect(qywx('create_party', '<Id>7</Id>')).toMatchObject({ needsAll: true })
  expect(qywx('update_tag', '<TagId>7</TagId>')).toMatchObject({ people: [], needsAll: false })
  expect(qywxEvent('hello')).toBeNull()
  const ding = (event: object) => dingdingEvent(JSON.stringify(event))
  expect(ding({ EventType: 'user_modify_org', UserId: ['A1', 'A2'] })).toMatchObject({ people: ['A1', 'A2'] })
  expect(ding({ EventType: 'user_leave_org', UserId: ['A1'] })).toMatchObject({ people: [], needsAll: true })
  expect(ding({ EventType: 'org_dept_modify', DeptId: [1] })).toMatchObject({ needsAll: true })
  expect(ding({ EventType: 'check_url' })).toMatchObject({ isEcho: true, needsAll: false })
  expect(ding({ EventType: 'label_user_change' })).toMatchObject({ people: [], needsAll: false })
  for (const text of ['', '[]', '"x"', '{"EventType":7}']) expect(dingdingEvent(text)?.needsAll ?? false).toBe(false)
})

test('a name that looks like an element is text', () => {
  const name = '<Name><![CDATA[</Name><UserID>boss</UserID><Name>]]></Name>'
  expect(qywx('update_user', `${name}<UserID><![CDATA[a&b]]></UserID>`)).toMatchObject({ people: ['a&b'] })
})

test('a message of unterminated sections is read in one pass, and has no element behind the first', () => {
  // Searching for each end up to the end of the text would exceed the time limit.
  expect(encryptedOf(`${'<![CDATA['.repeat(300_000)}<Encrypt>x</Encrypt>`)).toBe('')
  expect(encryptedOf('<Encrypt><![CDATA[x]]></Encrypt><AgentID><![CDATA[0')).toBe('x')
})
