import { chineseName, ENGLISH_COUNT, englishName, type Named, UNUSUAL_COUNT, unusualName } from './demo-names.rules.ts'
import { unitsOf } from './demo-organizations.rules.ts'
import { createRandomSource, type RandomSource } from './demo-random.rules.ts'

export const demoCategories = [
  { code: 'undergraduate', name: '本科生', names: { zh_TW: '大學部學生', en: 'Undergraduate' } },
  { code: 'postgraduate', name: '研究生', names: { zh_TW: '研究生', en: 'Postgraduate' } },
  { code: 'faculty', name: '教师', names: { zh_TW: '教師', en: 'Faculty' } },
  { code: 'staff', name: '职工', names: { zh_TW: '職員', en: 'Staff' } },
  { code: 'visitor', name: '访问学者', names: { zh_TW: '訪問學者', en: 'Visiting scholar' } },
]

export const demoPersonnelTypes = [
  { code: 'permanent', name: '在编', names: { zh_TW: '編制內', en: 'Permanent' } },
  { code: 'contract', name: '合同制', names: { zh_TW: '約聘', en: 'On contract' } },
  { code: 'temporary', name: '临时聘用', names: { zh_TW: '臨時聘用', en: 'Temporary' } },
]

export const demoRoles = [
  { code: 'monitor', name: '班长', names: { zh_TW: '班代', en: 'Class representative' } },
  { code: 'counsellor', name: '辅导员', names: { zh_TW: '輔導老師', en: 'Counsellor' } },
  { code: 'head', name: '系主任', names: { zh_TW: '系主任', en: 'Head of department' } },
  { code: 'librarian', name: '图书馆员', names: { zh_TW: '圖書館員', en: 'Librarian' } },
  { code: 'finance-approver', name: '财务审批人', names: { zh_TW: '經費核銷人', en: 'Finance approver' } },
  { code: 'portal-administrator', name: '门户管理员', names: { zh_TW: '入口網管理員', en: 'Portal administrator' } },
]

export type DemoPerson = Named & {
  account: string
  category: string
  personnelType: string | null
  organization: string
  roles: string[]
  birthday: string
  phone: string | null
  mailbox: string | null
  enabled: boolean
  activated: boolean
  /** Only for people who have not activated yet. */
  idNumber: string | null
}

type Kind = {
  category: string
  count: number
  units: readonly string[]
  born: readonly [from: number, to: number]
  account(chance: RandomSource, at: number): string
  role: readonly [code: string, percent: number]
}

const serial = (at: number, width: number) => String(at + 1).padStart(width, '0')

const KINDS: readonly Kind[] = [
  {
    category: 'undergraduate',
    count: 1200,
    units: unitsOf('teaching'),
    born: [2004, 2008],
    account: (chance, at) => `${2023 + chance.int(4)}01${serial(at, 4)}`,
    role: ['monitor', 3],
  },
  {
    category: 'postgraduate',
    count: 400,
    units: [...unitsOf('teaching'), ...unitsOf('research')],
    born: [1998, 2003],
    account: (chance, at) => `${2024 + chance.int(3)}02${serial(at, 4)}`,
    role: ['monitor', 2],
  },
  {
    category: 'faculty',
    count: 220,
    units: [...unitsOf('teaching'), ...unitsOf('research')],
    born: [1962, 1994],
    account: (_, at) => `T${serial(at, 5)}`,
    role: ['head', 15],
  },
  {
    category: 'staff',
    count: 120,
    units: [...unitsOf('administration'), ...unitsOf('service')],
    born: [1965, 2000],
    account: (_, at) => `S${serial(at, 5)}`,
    role: ['counsellor', 20],
  },
  {
    category: 'visitor',
    count: 57,
    units: [...unitsOf('research'), ...unitsOf('teaching')],
    born: [1960, 1996],
    account: (_, at) => `V${serial(at, 5)}`,
    role: ['head', 0],
  },
]

/** Everybody except those who have a password: 1,997 people, the same in every installation. */
export function demoPeople(): DemoPerson[] {
  const chance = createRandomSource(20_260_901)
  const people: DemoPerson[] = []
  for (const kind of KINDS) {
    for (let number = 0; number < kind.count; number += 1) people.push(personOf(kind, number, people.length, chance))
  }
  return people
}

function nameOf(category: string, number: number, chance: RandomSource): Named {
  if (category === 'visitor' && number < 3 * ENGLISH_COUNT && number % 3 === 0) return englishName(number / 3)
  if (category === 'undergraduate' && number < 40 * UNUSUAL_COUNT && number % 40 === 7)
    return unusualName((number - 7) / 40)
  return chineseName(chance)
}

function personOf(kind: Kind, number: number, at: number, chance: RandomSource): DemoPerson {
  const account = kind.account(chance, number)
  const [from, to] = kind.born
  const day = (below: number) => String(1 + chance.int(below)).padStart(2, '0')
  const roles = chance.isTrue(kind.role[1]) ? [kind.role[0]] : []
  const organization = chance.pick(kind.units)
  if (organization === 'library-unit' && chance.isTrue(60)) roles.push('librarian')
  if (organization === 'finance-office' && chance.isTrue(40)) roles.push('finance-approver')
  const named = nameOf(kind.category, number, chance)
  const birthday = `${from + chance.int(to - from + 1)}-${day(12)}-${day(28)}`
  const activated = number % 131 !== 130
  return {
    ...named,
    account,
    category: kind.category,
    personnelType: personnelTypeOf(kind.category, number),
    organization,
    roles,
    birthday,
    // A block of numbers reserved for examples.
    phone: chance.isTrue(80) ? `1380000${serial(at + 99, 4)}` : null,
    mailbox: chance.isTrue(85) ? `${account.toLowerCase()}@example.edu` : null,
    enabled: number % 397 !== 396,
    activated,
    idNumber: activated ? null : idNumber(birthday, number),
  }
}

/** Students have none. By number, so that everybody else's data stays the same. */
function personnelTypeOf(category: string, number: number): string | null {
  if (category === 'visitor') return 'temporary'
  if (category !== 'faculty' && category !== 'staff') return null
  return number % 5 === 4 ? 'contract' : 'permanent'
}

/** Formed like a national identity card's, but of a region that doesn't exist. */
function idNumber(birthday: string, number: number): string {
  const digits = `999999${birthday.replaceAll('-', '')}${String(number % 1000).padStart(3, '0')}`
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
  const sum = weights.reduce((total, weight, at) => total + weight * Number(digits[at]), 0)
  return `${digits}${'10X98765432'[sum % 11]}`
}
