import { textAtPointer } from '../json-pointer.rules.ts'
import { COREMAIL_CODES, callCoremail } from '../mailboxes/coremail.service.ts'
import { withinBudget } from '../vendor-budget.service.ts'
import { nullAt } from '../vendor-call.service.ts'
import type { BookPerson, BookPersonFields, OpenBook } from './address-book.types.ts'
import { NOT_OF_MAILBOXES, ONE_PLACE, randomPassword } from './new-mailbox.rules.ts'

/** Its manual names no limit; the server is the institution's own, and people read their mail there meanwhile. */
const BUDGET = { perMinute: 3000, perHour: 180_000 }
const UNKNOWN = ['19', '45']
/** The states that we set; others are the mail administrator's. */
const ACTIVE = '0'
const STOPPED = '1'
/** Attributes without a value are asked for. */
const ASKED = { true_name: null, mobile_number: null, user_status: null }

const toAttributes = ({ name, mobile, isDisabled }: BookPersonFields) => ({
  ...(name !== undefined && { true_name: name }),
  ...(mobile !== undefined && { mobile_number: mobile }),
  ...(isDisabled !== undefined && { user_status: isDisabled ? STOPPED : ACTIVE }),
})

/** The mailboxes of Coremail. It lists none, so each is asked for. */
export const openCoremailBook: OpenBook = (
  context,
  { host: apiHost, application: appId, secret, coremail },
  options,
) => {
  const { orgId = '', providerId = '', cosId = '' } = coremail ?? {}
  const budget = { key: `${apiHost} ${appId}`, budget: BUDGET, codes: COREMAIL_CODES }
  const ask = (name: string, given: object, isOnce: boolean) =>
    withinBudget(context, budget, { isOnce, wait: options.wait }, () =>
      callCoremail(context, { apiHost, appId, secret }, name, given),
    )
  async function person(address: string): Promise<BookPerson | null> {
    const found = await nullAt(UNKNOWN, ask('getAttrs', { user_at_domain: address, attrs: ASKED }, false))
    if (!found) return null
    const attribute = (name: string) => textAtPointer(found, `/result/${name}`)
    const state = attribute('user_status')
    return {
      id: address,
      name: attribute('true_name'),
      mobile: attribute('mobile_number'),
      email: null,
      departments: [ONE_PLACE],
      isDisabled: state === STOPPED,
      ...(!['', ACTIVE, STOPPED].includes(state) && { unknownState: state }),
      hasJoined: false,
    }
  }
  return {
    ...NOT_OF_MAILBOXES,
    person,
    async *mailboxes(addresses) {
      for (const address of addresses) {
        const found = await person(address)
        if (found) yield found
      }
    },
    async createPerson(address, fields) {
      const attrs = { user_status: ACTIVE, password: randomPassword(), cos_id: cosId, ...toAttributes(fields) }
      await ask('createUser', { org_id: orgId, user_at_domain: address, provider_id: providerId, attrs }, true)
    },
    updatePerson: async (address, fields) =>
      void (await ask('changeAttrs', { user_at_domain: address, attrs: toAttributes(fields) }, true)),
  }
}
