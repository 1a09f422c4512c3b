import { z } from 'zod'
import { ConnectorFault } from '../connector.types.ts'
import { exmailApp } from '../mailboxes/exmail.service.ts'
import { BOOK_BOUNDS, callPaced } from '../vendor-budget.service.ts'
import { nullAt } from '../vendor-call.service.ts'
import type { BookPerson, BookPersonFields, OpenBook } from './address-book.types.ts'
import { NOT_OF_MAILBOXES, randomPassword } from './new-mailbox.rules.ts'

/** Exmail allows this much for each of its calls: all of ours together leave room for the institution's other programs. */
const BUDGET = { perMinute: 500, perHour: 15_000 }
const UNKNOWN = ['60111']

const Item = z.record(z.string(), z.unknown())
type Item = z.infer<typeof Item>
const Members = z.object({ userlist: z.array(Item.refine(({ userid }) => typeof userid === 'string')) })
const Departments = z.object({ department: z.array(z.object({ id: z.coerce.number().int() })) })

const toMailbox = ({ userid, name, mobile, department, enable }: Item): BookPerson => ({
  id: String(userid).trim(),
  name: String(name ?? ''),
  mobile: typeof mobile === 'string' ? mobile : null,
  email: null,
  departments: ((department as number[] | undefined) ?? []).map(Number),
  // A number or a quoted one; a missing one means enabled.
  isDisabled: String(enable ?? 1) === '0',
  hasJoined: false,
})

const toBody = ({ name, mobile, departments, isDisabled }: BookPersonFields) => ({
  ...(name !== undefined && { name }),
  ...(mobile !== undefined && { mobile }),
  ...(departments && { department: departments }),
  ...(isDisabled !== undefined && { enable: isDisabled ? 0 : 1 }),
})

/** The mailboxes of Tencent Exmail, with the secret of its address book: that of single sign-on may not ask for them. */
export const openExmailBook: OpenBook = (context, settings, { wait }) => {
  const app = { ...exmailApp(settings), budget: BUDGET }
  const ask = (path: string, query: Record<string, string>, body?: object) => {
    const call = { step: 'mailboxes', path, query, bounds: BOOK_BOUNDS, ...(body && { body }) }
    return callPaced(context, app, call, { isOnce: body !== undefined, wait })
  }
  // An answer without its list is no provider without mailboxes.
  async function departmentIds(): Promise<number[]> {
    const listed = Departments.safeParse(await ask('/cgi-bin/department/list', {}))
    if (!listed.success) throw new ConnectorFault('unusable', 'mailboxes: no departments')
    return listed.data.department.map(({ id }) => id)
  }
  async function members(departmentId: number): Promise<Item[]> {
    const query = { department_id: String(departmentId), fetch_child: '0' }
    const listed = Members.safeParse(await ask('/cgi-bin/user/list', query))
    if (!listed.success) throw new ConnectorFault('unusable', 'mailboxes: no userlist')
    return listed.data.userlist
  }
  return {
    ...NOT_OF_MAILBOXES,
    async *mailboxes(addresses) {
      const wanted = new Set(addresses.map((address) => address.toLowerCase()))
      // Department by department: one answer with every mailbox would grow with the institution.
      for (const id of await departmentIds()) {
        for (const item of await members(id)) {
          const one = toMailbox(item)
          // Somebody of several departments is in each of them.
          if (wanted.delete(one.id.toLowerCase())) yield one
        }
      }
    },
    async person(userid) {
      const found = await nullAt(UNKNOWN, ask('/cgi-bin/user/get', { userid }))
      return found && toMailbox(found)
    },
    async createPerson(userid, fields) {
      // Whoever logs in with a password there has to choose one.
      const body = { userid, ...toBody(fields), password: randomPassword(), cpwd_login: 1 }
      await ask('/cgi-bin/user/create', {}, body)
    },
    updatePerson: async (userid, fields) => void (await ask('/cgi-bin/user/update', {}, { userid, ...toBody(fields) })),
  }
}
