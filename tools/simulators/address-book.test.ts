import { afterEach, expect, test } from 'vitest'
import { type Simulator, startSimulator, VENDORS } from './index.ts'

type Json = Record<string, unknown>
const started: Simulator[] = []
afterEach(async () => {
  for (const simulator of started.splice(0)) await simulator.close()
})

/** A call of a vendor's address book with a token that may write. */
async function open(vendor: 'qywx' | 'dingding') {
  const simulator = await startSimulator(VENDORS[vendor], { trustedOrigin: 'http://localhost' })
  started.push(simulator)
  const { application, secret } = VENDORS[vendor].contacts?.(simulator.url) ?? { application: '', secret: '' }
  const asked =
    vendor === 'qywx'
      ? `/cgi-bin/gettoken?corpid=${application}&corpsecret=${secret}`
      : `/gettoken?appkey=${application}&appsecret=${secret}`
  const { access_token: token } = (await (await fetch(simulator.url + asked)).json()) as { access_token: string }
  const call = async (path: string, body?: object): Promise<Json> => {
    const address = `${simulator.url}${path}${path.includes('?') ? '&' : '?'}access_token=${token}`
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    return (await (await fetch(address, body && sent)).json()) as Json
  }
  return { simulator, call }
}

test('WeCom: departments and people are read as far as they are visible, and ids in pages', async () => {
  const { call } = await open('qywx')
  const { department } = (await call('/cgi-bin/department/list?id=')) as { department: { id: number }[] }
  expect(department.map(({ id }) => id)).toEqual([1, 2, 3, 4])
  expect(await call('/cgi-bin/department/list?id=5')).toMatchObject({ errcode: 60011 })
  expect(await call('/cgi-bin/department/list?id=77')).toMatchObject({ errcode: 60003 })
  expect(await call('/cgi-bin/user/list?department_id=1&fetch_child=1')).toMatchObject({
    userlist: [
      { userid: 'LiLei' },
      { userid: 'HanMeimei', department: [4, 2] },
      { userid: 'sunli', status: 5 },
      { userid: 'ZhouMin' },
    ],
  })
  const first = await call('/cgi-bin/user/list_id', { cursor: '', limit: 3 })
  expect(first['dept_user']).toHaveLength(3)
  const last = await call('/cgi-bin/user/list_id', { cursor: first['next_cursor'], limit: 3 })
  expect(last).toMatchObject({
    next_cursor: '',
    dept_user: [{ userid: 'sunli', department: 2 }, { userid: 'ZhouMin' }],
  })
})

test('WeCom: writes are validated with its codes', async () => {
  const { simulator, call } = await open('qywx')
  const somebody = { userid: 't1', name: 'T', mobile: '13912345678', department: [2] }
  const create = async (change: object) => (await call('/cgi-bin/user/create', { ...somebody, ...change }))['errcode']
  expect(await create({})).toBe(0)
  expect(await create({})).toBe(60102)
  expect(await create({ userid: 't2' })).toBe(60104)
  expect(await create({ userid: 't2', mobile: '' })).toBe(60129)
  expect(await create({ userid: 't2', mobile: '1', department: [2] })).toBe(60103)
  expect(await create({ userid: 't2', mobile: '13912345679', department: [77] })).toBe(60123)
  const department = async (name: string, parentid: number) =>
    (await call('/cgi-bin/department/create', { name, parentid }))['errcode']
  expect(await department('New', 3)).toBe(0)
  expect(await department('New', 3)).toBe(60008)
  expect(await department('New', 77)).toBe(60004)
  expect(await call('/cgi-bin/department/delete?id=2')).toMatchObject({ errcode: 60005 })
  expect(await call('/cgi-bin/user/update', { userid: 'wanghong', name: 'W' })).toMatchObject({ errcode: 60011 })
  simulator.revokeTokens()
  expect(await create({ userid: 't3' })).toBe(40014)
})

test('DingTalk: one level of departments at a time, people in pages, and its own codes, some of them wrapped', async () => {
  const { simulator, call } = await open('dingding')
  expect(await call('/topapi/v2/department/listsub', { dept_id: 1 })).toMatchObject({
    result: [{ dept_id: 2 }, { dept_id: 3 }],
  })
  expect(await call('/topapi/v2/user/list', { dept_id: 2, cursor: 0, size: 1 })).toMatchObject({
    result: { has_more: true, next_cursor: 1, list: [{ userid: 'LiLei', dept_id_list: [2] }] },
  })
  expect(await call('/topapi/v2/user/get', { userid: 'nobody' })).toMatchObject({ errcode: 60121 })
  const somebody = { userid: 't1', name: 'T', mobile: '13912345678', dept_id_list: '2,4' }
  expect(await call('/topapi/v2/user/create', somebody)).toMatchObject({ errcode: 0, result: { userid: 't1' } })
  expect(await call('/topapi/v2/user/create', { ...somebody, userid: 't2' })).toMatchObject({ errcode: 60104 })
  expect(await call('/topapi/v2/user/delete', { userid: 't1' })).toMatchObject({ errcode: 0 })
  simulator.book.perMinute = 0
  expect(await call('/topapi/v2/user/get', { userid: 'LiLei' })).toMatchObject({ errcode: 88, sub_code: '90018' })
})
