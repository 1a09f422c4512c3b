import type { DepartmentField } from '#shared/contract/sync-departments.ts'
import { normalizeHeading } from '../user-imports/index.ts'

/** Columns of departments in other systems, the most telling ones first. */
const HEADINGS: Partial<Record<DepartmentField, string>> = {
  name:
    'name 名称 名稱 部门名称 部門名稱 单位名称 單位名稱 院系名称 系所名稱 机构名称 機構名稱 组织名称 ' +
    'departmentname deptname orgname organizationname displayname title ou bmmc dwmc mc',
  code:
    'code 编码 代码 代碼 部门编码 部门代码 部門代碼 单位编码 单位代码 單位代碼 机构代码 機構代碼 编号 編號 ' +
    'departmentcode deptcode orgcode departmentnumber deptno number bmdm dwdm bmh dwh dm id departmentid deptid',
}

/** The field of a department for each column, by its heading. */
export function guessDepartmentFields(headings: readonly string[]): (DepartmentField | null)[] {
  const words = headings.map(normalizeHeading)
  const found = new Map<number, DepartmentField>()
  for (const [field, known] of Object.entries(HEADINGS) as [DepartmentField, string][]) {
    const word = known.split(' ').find((one) => words.includes(one))
    if (word !== undefined) found.set(words.indexOf(word), field)
  }
  return headings.map((_, at) => found.get(at) ?? null)
}
