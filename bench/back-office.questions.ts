import { logs } from './back-office.logs.ts'
import type { ListRequest, Question } from './back-office.types.ts'
import { expect, type Visitor } from './client.ts'

const LIST = 150
const TIMES = 25
const PEOPLE = '/user_information/query/'
const DORMANT = '/user_information/dormant/query/'
const CHILDREN = '/organization/children/'

const repeated = (path: string, query: Record<string, string> = {}): ListRequest[] =>
  Array.from({ length: TIMES }, () => ({ path, query }))
const people = (queries: Record<string, string>[]): ListRequest[] => queries.map((query) => ({ path: PEOPLE, query }))

const SURNAMES = Array.from('王李张刘陈杨黄赵周吴徐孙马朱胡郭何林高罗常向孔')
const TWO = [
  '王伟',
  '李娜',
  '张敏',
  '刘静',
  '陈丽',
  '杨强',
  '黄磊',
  '赵军',
  '周洋',
  '吴勇',
  '伟强',
  '娜敏',
  '晓月',
  '雨萱',
  '子豪',
]
const THREE = ['王伟强', '李晓月', '张雨萱', '刘子豪', '陈天航', '杨一诺', '欧阳娜', '孔可心', '向诗涵', '郝梦瑶']
const PINYIN = ['wang', 'lixiao', 'zhangwei', 'zw', 'lxy', 'chenyu', 'yang', 'zzh', 'liuz', 'q']

type Found = { records: { id: string; code: string; name: string }[]; total: number }

async function found(visitor: Visitor, path: string, query: Record<string, string>): Promise<Found> {
  const answer = await visitor.call(path, query)
  expect(answer.status === 200, path, answer)
  return (JSON.parse(answer.body) as { data: Found }).data
}

/** Typical list queries of administrators, with values from the generated institution. */
export async function questions(visitor: Visitor): Promise<Question[]> {
  const { records: tops } = await found(visitor, CHILDREN, {})
  const top = tops.find(({ code }) => code === 'university')?.id ?? ''
  const { records: children } = await found(visitor, CHILDREN, { parentId: top, pageSize: '100' })
  const classes = children.find(({ code }) => code === 'classes-1')?.id ?? ''
  const faculties = children.filter(({ code }) => code.startsWith('faculty')).map(({ id }) => id)
  return [
    ...peoplePages(top, faculties),
    ...searches(),
    ...tree(top, classes, faculties),
    ...others(),
    ...logs(faculties[0] ?? top),
    ...(await impacts(visitor, faculties[0] ?? '')),
  ]
}

/**
 * Queries of an administrator of some organisations; the people of a small scope are read before anything is filtered.
 */
export const questionsOfPart = (part: string, roleId: string): Question[] => [
  { name: `of ${part}: people, page 1`, budget: LIST, ask: repeated(PEOPLE) },
  {
    name: `of ${part}: people by name and number`,
    budget: LIST,
    ask: people([...SURNAMES.slice(0, 8), ...TWO.slice(0, 8), ...PINYIN, '2000'].map((search) => ({ search }))),
  },
  { name: `of ${part}: people with a role`, budget: LIST, ask: repeated(PEOPLE, { roleId }) },
  { name: `of ${part}: people, each state`, budget: LIST, ask: people(STATES.map((state) => ({ state }))) },
  { name: `of ${part}: dormant people`, budget: LIST, ask: repeated(DORMANT) },
  { name: `of ${part}: dormant people, soon`, budget: LIST, ask: repeated(DORMANT, { dormancy: 'soon' }) },
  { name: `of ${part}: dormant people, exempt`, budget: LIST, ask: repeated(DORMANT, { dormancy: 'exempt' }) },
  { name: `of ${part}: authorisations`, budget: LIST, ask: repeated('/application_grant/query/') },
  {
    name: `of ${part}: search over everything (Ctrl K)`,
    budget: LIST,
    ask: ['王', '王伟', 'wangw', '2000', '系1'].map((search) => ({ path: '/global_search/query/', query: { search } })),
  },
]

const STATES = ['enabled', 'disabled', 'inactive', 'locked', 'frozen', 'dormant', 'expired', 'deleted']

function peoplePages(top: string, faculties: string[]): Question[] {
  return [
    { name: 'people, page 1', budget: LIST, ask: repeated(PEOPLE) },
    { name: 'people, page 1,000', budget: LIST, ask: repeated(PEOPLE, { pageIndex: '1000' }) },
    {
      name: 'people, last page that can be asked for',
      budget: LIST,
      ask: repeated(PEOPLE, { pageIndex: '100', pageSize: '100' }),
    },
    {
      name: 'people, each sort',
      budget: LIST,
      ask: people(['name', '-name', 'createdAt', '-createdAt', '-account'].map((sort) => ({ sort }))),
    },
    {
      name: 'people, each state',
      budget: LIST,
      ask: people(STATES.flatMap((state) => [{ state }, { state, pageIndex: '2' }])),
    },
    { name: 'people of the whole institution', budget: LIST, ask: repeated(PEOPLE, { organizationId: top }) },
    {
      name: 'people of a faculty, with all below',
      budget: LIST,
      ask: people(faculties.map((organizationId) => ({ organizationId }))),
    },
    {
      name: 'people of a faculty in one state',
      budget: LIST,
      ask: people(
        faculties.flatMap((organizationId) => ['locked', 'inactive'].map((state) => ({ organizationId, state }))),
      ),
    },
  ]
}

function searches(): Question[] {
  const numbers = Array.from({ length: TIMES }, (_, n) => String(20_000_001 + n * 39_119))
  const all = (values: string[], searchBy?: string) =>
    people(values.map((search) => ({ search, ...(searchBy && { searchBy }) })))
  return [
    {
      name: 'people by the beginning of a number',
      budget: LIST,
      ask: all(
        numbers.map((number, at) => number.slice(0, 3 + (at % 6))),
        '1',
      ),
    },
    { name: 'people by one Chinese character', budget: LIST, ask: all(SURNAMES, '2') },
    { name: 'people by two Chinese characters', budget: LIST, ask: all(TWO, '2') },
    { name: 'people by three Chinese characters', budget: LIST, ask: all(THREE, '2') },
    { name: 'people by pinyin and initials', budget: LIST, ask: all(PINYIN, '2') },
    {
      name: 'people by phone',
      budget: LIST,
      ask: all(
        numbers.map((number) => `138${number}`),
        '3',
      ),
    },
    {
      name: 'people by mailbox',
      budget: LIST,
      ask: all(
        numbers.map((number) => `${number}@example.edu`),
        '4',
      ),
    },
    {
      name: 'people by whatever was typed',
      budget: LIST,
      ask: all([...SURNAMES.slice(0, 8), ...TWO.slice(0, 8), ...PINYIN, ...numbers.slice(0, 8)]),
    },
  ]
}

const tree = (top: string, classes: string, faculties: string[]): Question[] => [
  { name: 'tree, first level', budget: LIST, ask: repeated(CHILDREN, { parentId: top, pageSize: '100' }) },
  {
    name: 'tree, a node with thousands of children',
    budget: LIST,
    ask: repeated(CHILDREN, { parentId: classes, pageSize: '200' }),
  },
  {
    name: 'tree, a faculty',
    budget: LIST,
    ask: faculties.map((parentId) => ({ path: CHILDREN, query: { parentId, pageSize: '100' } })),
  },
  {
    name: 'organisations by name',
    budget: LIST,
    ask: ['系1', '班级99', '学院', 'banji', '教研室7'].map((search) => ({
      path: '/organization/search/',
      query: { search },
    })),
  },
]

const others = (): Question[] => [
  { name: 'dormant people, page 1', budget: LIST, ask: repeated(DORMANT) },
  { name: 'dormant people, soon', budget: LIST, ask: repeated(DORMANT, { dormancy: 'soon' }) },
  {
    name: 'dormant people, filtered and sorted',
    budget: LIST,
    ask: [
      { neverLoggedIn: '1' },
      { dormantFrom: '2020-01-01T00:00:00Z', dormantTo: '2100-01-01T00:00:00Z' },
      { sort: '-dormantSince' },
      { sort: 'account' },
      { pageIndex: '100', pageSize: '100' },
      { search: '王' },
      { dormancy: 'exempt' },
    ].flatMap((query) =>
      [query, query, query].map((once) => ({ path: DORMANT, query: once as Record<string, string> })),
    ),
  },
  { name: 'locked people, page 1', budget: LIST, ask: repeated('/user_information/locked/query/') },
  { name: 'frozen people, page 1', budget: LIST, ask: repeated('/user_information/frozen/query/') },
  { name: 'IP ranges, page 1', budget: LIST, ask: repeated('/ip_range/query/') },
  { name: 'access rules, page 1', budget: LIST, ask: repeated('/access_rule/query/') },
  { name: 'outcomes of access rules, page 1', budget: LIST, ask: repeated('/access_rule/outcomes/') },
  { name: 'current logins', budget: LIST, ask: repeated('/current_login_manage/query/') },
  {
    name: 'current logins by name',
    budget: LIST,
    ask: ['王', '李娜', 'zhang', '20001'].map((search) => ({
      path: '/current_login_manage/query/',
      query: { search },
    })),
  },
  { name: 'roles', budget: LIST, ask: repeated('/role/query/') },
  { name: 'applications', budget: LIST, ask: repeated('/application_manage/query/') },
  {
    name: 'search over everything (Ctrl K)',
    budget: LIST,
    ask: ['王', '王伟', 'wangw', '2000', '系1', 'app-7'].map((search) => ({
      path: '/global_search/query/',
      query: { search },
    })),
  },
]

const IMPACT = 3000
const IMPACT_TIMES = 5

/** Impact previews, which an administrator waits for before saving. */
async function impacts(visitor: Visitor, organizationId: string): Promise<Question[]> {
  const { records: roles } = await found(visitor, '/role/query/', {})
  const offCampus = { kinds: ['campus'], place: 'outside' }
  const night = { from: '00:00', to: '06:00', zone: 'Asia/Shanghai' }
  const rule = (fields: object) => ({ rule: { mode: 'on', outcome: 'refuse', ...fields } })
  const range = { kind: 'campus', networks: ['10.0.0.0/9', '10.200.0.0/16'], enabled: true }
  const mailFormat = { pattern: '.*@example[.]edu', minLength: 0, maxLength: 100 }
  const asked: [what: string, of: string, body: object][] = [
    ['a rule for everybody off campus', 'access_rule', rule({ where: offCampus })],
    ['a rule for a category at night', 'access_rule', rule({ who: { categories: ['undergraduate'] }, when: night })],
    ['a rule for a faculty', 'access_rule', rule({ who: { organizations: [organizationId] } })],
    ['a rule for a role', 'access_rule', rule({ who: { roles: [roles[0]?.id] }, outcome: 'second-factor' })],
    ['a new range', 'ip_range', { range }],
    ['a second factor for a category', 'login_config', { changes: { secondFactorCategories: ['teacher'] } }],
    ['a second factor off campus', 'login_config', { changes: { secondFactorOffCampus: true } }],
    ['an age of passwords', 'login_config', { changes: { passwordMaxAgeDays: 90 } }],
    [
      'required fields',
      'account_fields',
      { changes: { 'mailbox.required': 'always', 'phone.required': 'next-login' } },
    ],
    ['a format', 'account_fields', { changes: { 'mailbox.format': mailFormat } }],
    ['unique names', 'account_fields', { changes: { 'name.isUnique': true } }],
    ['captchas sooner', 'login_config', { changes: { captchaAfterFailures: 1 } }],
    ['captchas for everybody', 'login_config', { changes: { captchaAfterFailures: 0 } }],
    ['failures of an address', 'login_config', { changes: { addressFailures: 5 } }],
    ['a term of dormancy', 'login_config', { changes: { dormantAfterDays: 90 } }],
  ]
  return asked.map(([what, of, body]) => ({
    name: `impact of ${what}`,
    budget: IMPACT,
    ask: Array.from({ length: IMPACT_TIMES }, () => ({ path: `/policy_impact/${of}/`, query: {}, body })),
  }))
}
