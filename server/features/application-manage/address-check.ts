import type { checkApplication } from '#shared/contract/application-manage.ts'
import { coversAddress, parseWebAddress, readRegistered } from '#shared/rules/redirect-target.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { isForbiddenAddress } from '../../platform/outgoing.ts'
import type { Context } from '../../platform/platform.ts'
import { type Application, registeredApplications } from '../applications/index.ts'
import { takenNames } from './application-manage.store.ts'

type Overlap = Output<typeof checkApplication>['overlaps'][number]

/** Would these names and addresses do? Nothing is called or looked up. */
export async function checkApplicationInput(ctx: Context, body: Input<typeof checkApplication>['body']) {
  const { id = null, appId = '', clientId = '', addresses } = body
  const taken = await takenNames(ctx.db, { exceptId: id, appIds: [appId], clientIds: [clientId] })
  const others = (await registeredApplications(ctx)).filter((other) => other.id !== id)
  return {
    appIdTaken: appId !== '' && taken.some((one) => one.appId === appId),
    clientIdTaken: clientId !== '' && taken.some((one) => one.clientId === clientId),
    overlaps: addresses.flatMap((address) => overlapsOf(address, others)).slice(0, 50),
    forbidden: addresses.filter(isNeverCalled),
  }
}

function overlapsOf(address: string, others: readonly Application[]): Overlap[] {
  return others.flatMap((other) => {
    const theirs = [...(other.protocol === 'cas' ? other.serviceUrls : []), ...(other.client?.redirectUris ?? [])]
    const met = theirs.find((registered) => meets(address, registered))
    return met === undefined ? [] : [{ address, id: other.id, name: other.name, other: met }]
  })
}

/** Is there an address that both cover? */
function meets(one: string, other: string): boolean {
  const first = readRegistered(one)
  const second = readRegistered(other)
  if (!first || !second) return false
  return coversAddress(one, second.base) || coversAddress(other, first.base)
}

/** An address of a machine that this server never calls, whatever stands in a form: link-local ones, those of clouds. */
export function isNeverCalled(address: string): boolean {
  const host = parseWebAddress(address.replace(/\/\*\*$/, '/'))?.hostname.replace(/^\[|\]$/g, '')
  return host !== undefined && /^[\d.]+$|:/.test(host) && isForbiddenAddress(host)
}
