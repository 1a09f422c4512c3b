import { z } from 'zod'
import { ConnectorFault } from '../connector.types.ts'
import { exmailApp } from '../mailboxes/exmail.ts'
import { BOOK_BOUNDS, callPaced } from '../vendor-budget.service.ts'
import { nullAt } from '../vendor-call.service.ts'
import type { BookPerson, BookPersonFields, OpenBook } from './address-book.types.ts'
import { NOT_OF_MAILBOXES, randomPassword } from './new-mailbox.rules.ts'

/** Exmail allows this much for each of its calls: all of ours together leave room for the institution's other programs. */
const BUDGET = { perMinute: 500, perHour: 15_000 }
const UNKNOWN = ['60111']

const Item = z.record(z.string(), z.unknown())
type Item = z.infer<typeof Item>
const Listed = z.object({ userlist: z.array(Item.refine(({ userid }) => typeof userid === 'string')) })

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
  return {
    ...NOT_OF_MAILBOXES,
    async *mailboxes(addresses) {
      const wanted = new Set(addresses.map((address) => address.toLowerCase()))
      // An answer without its list is no provider without mailboxes.
      const listed = Listed.safeParse(await ask('/cgi-bin/user/list', { department_id: '1', fetch_child: '1' }))
      if (!listed.success) throw new ConnectorFault('unusable', 'mailboxes: no userlist')
      for (const item of listed.data.userlist) {
        const one = toMailbox(item)
        if (wanted.has(one.id.toLowerCase())) yield one
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
