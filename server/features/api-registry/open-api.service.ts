import type {
  listChangedPeople,
  listOpenOrganizations,
  listPeopleOfOrganization,
  OpenPerson,
  recordVisitOfPerson,
} from '#shared/contract/open-api.ts'
import { DEFAULT_CALLS_PER_MINUTE } from '#shared/contract/open-api.ts'
import type { Input } from '../../platform/http/mount.ts'
import { stretchOf } from '../../platform/list.ts'
import { applicationOf, type Context } from '../../platform/platform.ts'
import { mayLogIn } from '../account-status/index.ts'
import { type Application, findApplicationById, releasedAttributes, userNameFor } from '../applications/index.ts'
import { clientDetails, recordVisit } from '../records/index.ts'
import { errors } from './api-registry.errors.ts'
import type { Catalogue } from './interfaces.service.ts'
import { grantsOf } from './interfaces.store.ts'
import {
  CANDIDATES,
  type Candidate,
  candidatesChanged,
  candidatesWithin,
  countChildren,
  findOrganization,
  findPerson,
  type PersonRow,
  pageOfChildren,
  peopleByIds,
} from './open-api.store.ts'
import { openPlace, sealPlace } from './page-cursor.ts'

async function calling(ctx: Context): Promise<Application> {
  const application = await findApplicationById(ctx, applicationOf(ctx).id)
  if (!application) throw errors['open-api.application-disabled']()
  return application
}

export async function ownApplication(ctx: Context, catalogue: Catalogue) {
  const { id, appId, name, names, protocol, type, attributes } = await calling(ctx)
  const grants = (await grantsOf(ctx.db, id)).filter(({ apiId }) => catalogue.has(apiId))
  return {
    appId,
    name: names[ctx.client.language] ?? name,
    protocol,
    type,
    attributes: attributes.map((attribute) => attribute.name),
    interfaces: grants.map(({ apiId, callsPerMinute }) => ({
      apiId,
      callsPerMinute: callsPerMinute ?? DEFAULT_CALLS_PER_MINUTE,
    })),
  }
}

/** What the application is given at a login of this person, and nothing else; of a deleted one only that they are gone. */
function openPerson(ctx: Context, application: Application, row: PersonRow): OpenPerson {
  const person = row.deletedAt === null
  return {
    id: row.userId ?? '',
    user: userNameFor(application.userAttribute, row),
    active: mayLogIn(ctx.now(), row) === null,
    attributes: person ? Object.fromEntries(releasedAttributes(application.attributes, row)) : {},
    changedAt: row.changedAt.toISOString(),
  }
}

/** @throws Refusal `open-api.person-not-found`, also for whoever may not use the application. */
async function personOf(
  ctx: Context,
  application: Application,
  who: { account?: string | undefined; id?: string | undefined },
) {
  const wanted = who.id === undefined ? { account: who.account ?? '' } : { id: who.id }
  const row = await findPerson(ctx.db, application.id, wanted, ctx.now())
  if (!row) throw errors['open-api.person-not-found']()
  return row
}

export async function readOne(ctx: Context, who: { account?: string | undefined; id?: string | undefined }) {
  const application = await calling(ctx)
  return openPerson(ctx, application, await personOf(ctx, application, who))
}

/** The first of the candidates that the application may be told of, and where the next page goes on. */
async function peopleAmong(
  ctx: Context,
  application: Application,
  candidates: readonly Candidate[],
  { call, pageSize }: { call: string; pageSize: number },
) {
  const told = candidates.filter((one) => one.told)
  const page = told.slice(0, pageSize)
  const lastOfPage = told.length > pageSize ? page.at(-1) : undefined
  const last = lastOfPage ?? (candidates.length === CANDIDATES ? candidates.at(-1) : undefined)
  const ids = page.map(({ id }) => id)
  const rows = ids.length > 0 ? await peopleByIds(ctx.db, application.id, ids, ctx.now()) : []
  return {
    people: rows.map((row) => openPerson(ctx, application, row)),
    next: last ? sealPlace(ctx, call, last) : null,
  }
}

const LIST = 'people.list'
const CHANGES = 'people.changes'

export async function peopleOfOrganization(ctx: Context, query: Input<typeof listPeopleOfOrganization>['query']) {
  const application = await calling(ctx)
  const organizationId = await findOrganization(ctx.db, query.organizationCode)
  if (!organizationId) throw errors['open-api.organization-not-found']()
  const within = { organizationId, directOnly: query.directOnly === '1', after: openPlace(ctx, LIST, query.after) }
  const candidates = await candidatesWithin(ctx.db, application.id, within, ctx.now())
  return await peopleAmong(ctx, application, candidates, { call: LIST, pageSize: query.pageSize })
}

/** A change is told when it is so old that no transaction still writes an older one, short ones at least. */
const SETTLED_MS = 5000

export async function changedPeople(ctx: Context, query: Input<typeof listChangedPeople>['query']) {
  const application = await calling(ctx)
  const now = ctx.now()
  const until = new Date(now.getTime() - SETTLED_MS)
  const span = { since: new Date(query.since), until, after: openPlace(ctx, CHANGES, query.after) }
  const candidates = await candidatesChanged(ctx.db, application.id, span, now)
  return await peopleAmong(ctx, application, candidates, { call: CHANGES, pageSize: query.pageSize })
}

export async function organizationChildren(ctx: Context, query: Input<typeof listOpenOrganizations>['query']) {
  const parentId = query.parentCode === undefined ? null : await findOrganization(ctx.db, query.parentCode)
  if (query.parentCode !== undefined && !parentId) throw errors['open-api.organization-not-found']()
  const total = await countChildren(ctx.db, parentId)
  const records = await pageOfChildren(ctx.db, parentId, ctx.client.language, stretchOf(query, total))
  return { records, ...total }
}

export async function recordVisitFor(ctx: Context, { account, ip }: Input<typeof recordVisitOfPerson>['body']) {
  const application = await calling(ctx)
  const person = await personOf(ctx, application, { account })
  const details = await clientDetails(ip ? { ...ctx, client: { ...ctx.client, ip } } : ctx)
  await recordVisit(ctx, {
    userId: person.userId ?? '',
    applicationId: application.id,
    way: 'application',
    ssoSessionId: null,
    // The program that calls is not the person's.
    details: { ...details, clientType: 'other' },
  })
  return null
}
