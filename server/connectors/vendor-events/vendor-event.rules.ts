import { textAtPointer } from '../json-pointer.rules.ts'

/** What an event says has changed in an address book; its data is not used. */
export type VendorEvent = {
  /** The vendor verifies the address. */
  isEcho: boolean
  /** Vendor ids of people to read again. */
  people: string[]
  /** Somebody has left, or departments have changed: only a full run shows what. */
  needsAll: boolean
}

const NOTHING: VendorEvent = { isEcho: false, people: [], needsAll: false }
const ALL: VendorEvent = { ...NOTHING, needsAll: true }
const about = (people: readonly string[]): VendorEvent =>
  people.length > 0 ? { ...NOTHING, people: [...people] } : ALL

/** The flat elements of a WeCom message; null: it is none. */
export function qywxEvent(xml: string): VendorEvent | null {
  const text = textsOf(xml)
  if (text('MsgType') === '') return null
  if (text('Event') !== 'change_contact') return NOTHING
  switch (text('ChangeType')) {
    case 'create_user':
      return about(named(text('UserID')))
    case 'update_user':
      // A new id is a new person, and the old one no longer exists.
      return text('NewUserID') === '' ? about(named(text('UserID'))) : { ...ALL, people: named(text('NewUserID')) }
    case 'delete_user':
    case 'create_party':
    case 'update_party':
    case 'delete_party':
      return ALL
    default:
      return NOTHING
  }
}

/** The encrypted part of a WeCom message; empty: none. */
export const encryptedOf = (xml: string): string => textsOf(xml)('Encrypt')

const named = (id: string): string[] => (id === '' ? [] : [id.toLowerCase()])

const [CDATA, CDATA_END] = ['<![CDATA[', ']]>']

/** A CDATA section is text, whatever it contains. Parsed in one pass, because anybody may send this. */
function withoutSections(xml: string): string {
  let escaped = ''
  let at = 0
  for (;;) {
    const begin = xml.indexOf(CDATA, at)
    if (begin < 0) return escaped + xml.slice(at)
    escaped += xml.slice(at, begin)
    const end = xml.indexOf(CDATA_END, begin + CDATA.length)
    // An unterminated section contains no elements.
    if (end < 0) return escaped
    escaped += xml
      .slice(begin + CDATA.length, end)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
    at = end + CDATA_END.length
  }
}

/** Elements by name. */
function textsOf(xml: string): (name: string) => string {
  const escaped = withoutSections(xml)
  return (name) => {
    const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(escaped)?.[1] ?? ''
    return found.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').trim()
  }
}

const CHANGED_PEOPLE = ['user_add_org', 'user_modify_org', 'user_active_org']
const CHANGED_TREE = ['user_leave_org', 'org_dept_create', 'org_dept_modify', 'org_dept_remove', 'org_change']

/** The content of a DingTalk message; null: it is none. */
export function dingdingEvent(text: string): VendorEvent | null {
  const event = parseObject(text)
  const type = textAtPointer(event, '/EventType')
  if (type === '') return null
  if (/^check_(create_suite_|update_suite_)?url$/.test(type)) return { ...NOTHING, isEcho: true }
  if (CHANGED_TREE.includes(type)) return ALL
  if (!CHANGED_PEOPLE.includes(type)) return NOTHING
  const ids = event['UserId']
  return about(Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string' && id !== '') : [])
}

/** A JSON object; anything else becomes an empty one. */
export function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
