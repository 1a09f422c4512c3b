import type { CustomField } from '#shared/contract/custom-fields.ts'
import { customName } from '#shared/contract/field-rules.ts'
import { IMPORT_FIELDS, type ImportField, type ProductImportField } from '#shared/contract/user-imports.ts'
import type { Context } from '../../platform/platform.ts'

/** Headings in files of other systems and in our former templates, besides our current ones. */
const HEADING_ALIASES: Record<ProductImportField, string> = {
  account:
    '学号 工号 学工号 学籍号 职工号 职工编号 教工号 教职工号 员工号 员工编号 人员编号 账号 帐号 用户名 ' +
    '學號 工號 學籍號 職工號 教職員編號 員工號 員工編號 人員編號 帳號 使用者名稱 學號員工編號 ' +
    'number id number username studentid studentno studentnumber staffid staffno staffnumber employeeid employeeno employeenumber ' +
    'userid uid samaccountname xh gh xgh zgh',
  name: '姓名 名字 真实姓名 fullname realname displayname xm',
  category: '类别 身份 人员类别 用户类别 人员身份 人員類別 使用者類別 類別 身分 type usertype category',
  organization:
    '部门 院系 学院 单位 所属部门 组织 组织机构 部門 系所 單位 dept department org organisation orgcode dwh',
  secondaryOrganizations: '其他部门 其他部門 兼职部门 次要部门 副部门 otherdepartments secondarydepartments',
  personnelType: '人员性质 用工性质 编制 人員性質 nature personnelnature personneltype',
  gender: '性别 性別 sex xb',
  birthday: '生日 出生日期 出生年月日 dob dateofbirth birthdate csrq',
  phone: '手机 手机号 手机号码 电话 联系电话 移动电话 手機號碼 電話 mobile mobilephone telephone sjh',
  mailbox: '邮箱 电子邮箱 邮件 电子邮件 郵箱 電子郵件 信箱 mail email emailaddress dzyx',
  alias: '别名 登录名 登录别名 別名 登入別名 loginalias loginname',
  nickname: '昵称 暱稱 nick',
  idNumber: '身份证 身份证号 身份证号码 证件号 证件号码 身分證字號 idcard idno sfzh',
  roles: '角色 role',
  validFrom: '生效日期 有效期起 启用日期 生效日 有效期開始 startdate from',
  validUntil: '失效日期 有效期至 有效期止 到期日期 到期日 有效期截止 enddate expires expirydate accountexpires until',
  enabled: '状态 启用 是否启用 狀態 啟用 status active',
}

/** A heading in the form that is compared: without spaces, required-field stars and text in brackets. */
export const normalizeHeading = (heading: string): string =>
  heading
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\(.*?\)|\[.*?\]|【.*?】/g, '')
    .replace(/[\s*:_\-/.#]/g, '')

function knownHeadings(ctx: Context, custom: readonly CustomField[]): Map<string, ImportField> {
  const known = new Map<string, ImportField>()
  const addHeading = (text: string, field: ImportField) => {
    const key = normalizeHeading(text)
    if (key && !known.has(key)) known.set(key, field)
  }
  for (const field of IMPORT_FIELDS) {
    addHeading(field, field)
    for (const { code } of ctx.wording.languages()) addHeading(ctx.translate(code, `import-field.${field}`), field)
  }
  for (const field of IMPORT_FIELDS) for (const name of HEADING_ALIASES[field].split(' ')) addHeading(name, field)
  // The product's own headings come first.
  for (const { key, name, names } of custom)
    for (const word of [key, name, ...Object.values(names)]) addHeading(word, customName(key))
  return known
}

/** `学号/工号`: alternative words for one field. */
const alternatives = (heading: string): string[] => heading.normalize('NFKC').split(/[/,、|]|或/)

function matchHeading(heading: string, known: ReadonlyMap<string, ImportField>): ImportField | undefined {
  const exactMatch = known.get(normalizeHeading(heading))
  const [first, ...others] = alternatives(heading).map((word) => known.get(normalizeHeading(word)))
  return exactMatch ?? (others.every((one) => one === first) ? first : undefined)
}

/** The field for each column: as this person chose it last time, else by the heading in any language. */
export function guessMapping(
  ctx: Context,
  headings: readonly string[],
  savedColumns: ReadonlyMap<string, string | null>,
  custom: readonly CustomField[],
): (ImportField | null)[] {
  const known = knownHeadings(ctx, custom)
  const fields: readonly ImportField[] = [...IMPORT_FIELDS, ...custom.map(({ key }) => customName(key))]
  const taken = new Set<ImportField>()
  return headings.map((heading) => {
    const key = normalizeHeading(heading)
    const chosen = savedColumns.get(key)
    const field = chosen === undefined ? matchHeading(heading, known) : fields.find((one) => one === chosen)
    if (!field || taken.has(field)) return null
    taken.add(field)
    return field
  })
}
