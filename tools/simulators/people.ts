/** A person at a vendor; `note` says what is special. */
export type Person = {
  id: string
  name: string
  openid: string
  unionid: string
  phone: string
  standing: 'member' | 'external' | 'invisible' | 'left' | 'snapshot'
  note: string
}

const person = (id: string, name: string, standing: Person['standing'], note = ''): Person => ({
  id,
  name,
  openid: `openid-${id}`,
  unionid: `union-${id}`,
  phone: `1380000${id.length % 10}${String(id.charCodeAt(0)).padStart(3, '0')}`,
  standing,
  note,
})

/** The invented people of all simulators. */
export const PEOPLE: readonly Person[] = [
  person('LiLei', '李雷', 'member'),
  person('HanMeimei', '韩梅梅', 'member'),
  person('wanghong', '王红', 'invisible', 'outside the visible range'),
  person('zhaoqian', '赵倩', 'external', 'external contact'),
  person('sunli', '孙丽', 'left', 'has left'),
  person('guest', '访客', 'snapshot', 'snapshot user'),
  person('ZhouMin', '周敏', 'member', 'has no account here'),
]

export const findPerson = (matches: (person: Person) => boolean): Person | undefined => PEOPLE.find(matches)
