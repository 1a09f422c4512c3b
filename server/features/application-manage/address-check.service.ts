import type { checkApplication } from '#shared/contract/application-manage.ts'
import { coversAddress, parseRegisteredAddress, parseWebAddress } from '#shared/rules/redirect-target.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { isForbiddenAddress } from '../../platform/outgoing-fetch.ts'
import type { Context } from '../../platform/platform.ts'
import { type Application, listRegisteredApplications } from '../applications/index.ts'
import { findTakenNames } from './application-manage.store.ts'

type Overlap = Output<typeof checkApplication>['overlaps'][number]

/** Validates names and addresses of an application; calls nothing and resolves nothing. */
export async function checkApplicationInput(ctx: Context, body: Input<typeof checkApplication>['body']) {
  const { id = null, appId = '', clientId = '', addresses } = body
  const taken = await findTakenNames(ctx.db, { exceptId: id, appIds: [appId], clientIds: [clientId] })
  const others = (await listRegisteredApplications(ctx)).filter((other) => other.id !== id)
  return {
    appIdTaken: appId !== '' && taken.some((one) => one.appId === appId),
    clientIdTaken: clientId !== '' && taken.some((one) => one.clientId === clientId),
    overlaps: addresses.flatMap((address) => overlapsOf(address, others)).slice(0, 50),
    forbidden: addresses.filter(isBlockedAddress),
  }
}

function overlapsOf(address: string, others: readonly Application[]): Overlap[] {
  return others.flatMap((other) => {
    const theirs = [...(other.protocol === 'cas' ? other.serviceUrls : []), ...(other.client?.redirectUris ?? [])]
    const met = theirs.find((registered) => addressesOverlap(address, registered))
    return met === undefined ? [] : [{ address, id: other.id, name: other.name, other: met }]
  })
}

/** Is there an address that both cover? */
function addressesOverlap(one: string, other: string): boolean {
  const first = parseRegisteredAddress(one)
  const second = parseRegisteredAddress(other)
  if (!first || !second) return false
  return coversAddress(one, second.base) || coversAddress(other, first.base)
}

/** A host that this server never calls, whatever a form says: link-local addresses, such as cloud metadata services. */
export function isBlockedAddress(address: string): boolean {
  const host = parseWebAddress(address.replace(/\/\*\*$/, '/'))?.hostname.replace(/^\[|\]$/g, '')
  return host !== undefined && /^[\d.]+$|:/.test(host) && isForbiddenAddress(host)
}
