/** Between the values of one attribute. */
export const VALUE_SEPARATOR = '|'

/** Useless for directory syncs: secrets, and large values. Compared in lower case. */
export const UNREAD_ATTRIBUTES: ReadonlySet<string> = new Set([
  ...[
    'userpassword',
    'unicodepwd',
    'dbcspwd',
    'ntpwdhistory',
    'lmpwdhistory',
    'supplementalcredentials',
    'authpassword',
  ],
  ...[
    'sambantpassword',
    'sambalmpassword',
    'sambapasswordhistory',
    'krbprincipalkey',
    'ms-mcs-admpwd',
    'mslaps-password',
  ],
  ...[
    'jpegphoto',
    'thumbnailphoto',
    'photo',
    'audio',
    'usercertificate',
    'usersmimecertificate',
    'ntsecuritydescriptor',
  ],
  ...['msexchmailboxsecuritydescriptor', 'logonhours', 'userparameters'],
])

/** A GUID in the notation of Active Directory's own tools: its first three parts are stored little-endian. */
export function guidText(bytes: Buffer): string {
  const swapped = Buffer.from(bytes)
  swapped.subarray(0, 4).reverse()
  swapped.subarray(4, 6).reverse()
  swapped.subarray(6, 8).reverse()
  return swapped.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** A SID in its usual notation: S-1-5-21-… */
export function sidText(bytes: Buffer): string {
  const parts = Array.from({ length: bytes[1] ?? 0 }, (_, at) => bytes.readUInt32LE(8 + 4 * at))
  return ['S', bytes[0], bytes.readUIntBE(2, 6), ...parts].join('-')
}

/** 100 nanoseconds since 1601; 0 and the largest number mean never. */
const FILETIME_NEVER = 9223372036854775807n
const FILETIME_EPOCH_MS = 11644473600000n

function fileTimeText(value: string): string {
  if (!/^\d{1,19}$/.test(value)) return value
  const time = BigInt(value)
  if (time === 0n || time >= FILETIME_NEVER) return ''
  const date = new Date(Number(time / 10_000n - FILETIME_EPOCH_MS))
  return Number.isNaN(date.getTime()) ? value : date.toISOString()
}

const FILETIMES = new Set(['accountexpires', 'lastlogontimestamp', 'pwdlastset', 'lockouttime', 'lastlogon'])

const generalizedTime = (value: string): string =>
  value.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.\d+)?Z$/, '$1-$2-$3T$4:$5:$6Z')

/** One value as text; as hexadecimal digits if it is not valid UTF-8. */
function valueText(attribute: string, bytes: Buffer): string {
  if (/guid$/.test(attribute) && bytes.length === 16) return guidText(bytes)
  if (/sid$/.test(attribute) && bytes.length >= 8 && bytes.length === 8 + 4 * (bytes[1] ?? 0)) return sidText(bytes)
  const text = bytes.toString('utf8')
  if (text.includes('\ufffd') && !Buffer.from(text).equals(bytes)) return bytes.toString('hex')
  return FILETIMES.has(attribute) ? fileTimeText(text) : generalizedTime(text)
}

/** The values of an attribute as one text. */
export const attributeText = (attribute: string, values: readonly Buffer[]): string =>
  values.map((value) => valueText(attribute.toLowerCase(), value)).join(VALUE_SEPARATOR)

/** The parent: everything after the first unescaped comma. */
export const parentDn = (dn: string): string => /^(?:\\.|[^,\\])*,\s*(.*)$/s.exec(dn)?.[1] ?? ''

const DISABLED_FLAG = 2

/** From `userAccountControl`: `1` if they may log in there, `0` if disabled. */
export function enabledText(control: string): string {
  if (!/^-?\d{1,10}$/.test(control)) return ''
  return (Number(control) & DISABLED_FLAG) === 0 ? '1' : '0'
}
