import type {
  listChangedPeople,
  listOpenOrganizations,
  listPeopleOfOrganization,
  OpenPerson,
  recordVisitOfPerson,
} from '#shared/contract/open-api.ts'
import { DEFAULT_CALLS_PER_MINUTE } from '#shared/contract/open-api.ts'
import type { Input } from '../../platform/http/mount.ts'
import { applicationOf, type Context } from '../../platform/platform.ts'
import { mayLogIn } from '../access/index.ts'
import { type Application, findApplicationById, releasedAttributes, userNameFor } from '../applications/index.ts'
import { loadClientDetails, recordVisit } from '../records/index.ts'
import { errors } from './api-registry.errors.ts'
import type { Catalogue } from './interfaces.service.ts'
import { grantsOf } from './interfaces.store.ts'
import {
  type Candidate,
  findOrganization,
  findPeopleByIds,
  findPerson,
  listChangedCandidates,
  listOrganizationCandidates,
  MAX_CANDIDATES,
  type PersonRow,
  pageOfChildren,
} from './open-api.store.ts'
import { openPosition, sealPosition } from './page-cursor.rules.ts'

async function getCallingApplication(ctx: Context): Promise<Application> {
  const application = await findApplicationById(ctx, applicationOf(ctx).id)
  if (!application) throw errors['open-api.application-disabled']()
  return application
}

export async function getOwnApplication(ctx: Context, catalogue: Catalogue) {
  const { id, appId, name, names, protocol, type, attributes } = await getCallingApplication(ctx)
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

/** What the application gets at a login of this person, and nothing else; for a deleted one only that they are deleted. */
function toOpenPerson(ctx: Context, application: Application, row: PersonRow): OpenPerson {
  const person = row.deletedAt === null
  return {
    id: row.userId ?? '',
    user: userNameFor(application.userAttribute, row),
    active: mayLogIn(ctx.now(), row) === null,
    attributes: person ? Object.fromEntries(releasedAttributes(application.attributes, row)) : {},
    changedAt: row.changedAt.toISOString(),
  }
}

/** @throws Refusal `open-api.person-not-found`, also for a person who may not use the application. */
async function getPerson(
  ctx: Context,
  application: Application,
  who: { account?: string | undefined; id?: string | undefined },
) {
  const wanted = who.id === undefined ? { account: who.account ?? '' } : { id: who.id }
  const row = await findPerson(ctx.db, application.id, wanted, ctx.now())
  if (!row) throw errors['open-api.person-not-found']()
  return row
}

export async function getOpenPerson(ctx: Context, who: { account?: string | undefined; id?: string | undefined }) {
  const application = await getCallingApplication(ctx)
  return toOpenPerson(ctx, application, await getPerson(ctx, application, who))
}

/** The first of the candidates that may be released to the application, and where the next page starts. */
async function toPeoplePage(
  ctx: Context,
  application: Application,
  candidates: readonly Candidate[],
  { call, pageSize }: { call: string; pageSize: number },
) {
  const told = candidates.filter((one) => one.told)
  const page = told.slice(0, pageSize)
  const lastOfPage = told.length > pageSize ? page.at(-1) : undefined
  const last = lastOfPage ?? (candidates.length === MAX_CANDIDATES ? candidates.at(-1) : undefined)
  const ids = page.map(({ id }) => id)
  const rows = ids.length > 0 ? await findPeopleByIds(ctx.db, application.id, ids, ctx.now()) : []
  return {
    people: rows.map((row) => toOpenPerson(ctx, application, row)),
    next: last ? sealPosition(ctx, call, last) : null,
  }
}

const LIST_CURSOR = 'people.list'
const CHANGES_CURSOR = 'people.changes'

export async function organizationPeoplePage(ctx: Context, query: Input<typeof listPeopleOfOrganization>['query']) {
  const application = await getCallingApplication(ctx)
  const organizationId = await findOrganization(ctx.db, query.organizationCode)
  if (!organizationId) throw errors['open-api.organization-not-found']()
  const within = {
    organizationId,
    directOnly: query.directOnly === '1',
    after: openPosition(ctx, LIST_CURSOR, query.after),
  }
  const candidates = await listOrganizationCandidates(ctx.db, application.id, within, ctx.now())
  return await toPeoplePage(ctx, application, candidates, { call: LIST_CURSOR, pageSize: query.pageSize })
}

/** A change is released only when it is so old that no transaction, short ones at least, can still write an older one. */
const CHANGE_DELAY_MS = 5000

export async function changedPeoplePage(ctx: Context, query: Input<typeof listChangedPeople>['query']) {
  const application = await getCallingApplication(ctx)
  const now = ctx.now()
  const until = new Date(now.getTime() - CHANGE_DELAY_MS)
  const span = { since: new Date(query.since), until, after: openPosition(ctx, CHANGES_CURSOR, query.after) }
  const candidates = await listChangedCandidates(ctx.db, application.id, span, now)
  return await toPeoplePage(ctx, application, candidates, { call: CHANGES_CURSOR, pageSize: query.pageSize })
}

export async function organizationChildrenPage(ctx: Context, query: Input<typeof listOpenOrganizations>['query']) {
  const parentId = query.parentCode === undefined ? null : await findOrganization(ctx.db, query.parentCode)
  if (query.parentCode !== undefined && !parentId) throw errors['open-api.organization-not-found']()
  return await pageOfChildren(ctx.db, parentId, ctx.client.language, query)
}

export async function recordVisitFor(ctx: Context, { account, ip }: Input<typeof recordVisitOfPerson>['body']) {
  const application = await getCallingApplication(ctx)
  const person = await getPerson(ctx, application, { account })
  const details = await loadClientDetails(ip ? { ...ctx, client: { ...ctx.client, ip } } : ctx)
  await recordVisit(ctx, {
    userId: person.userId ?? '',
    applicationId: application.id,
    entry: 'application',
    ssoSessionId: null,
    // The calling program is not the person's.
    details: { ...details, clientType: 'other' },
  })
  return null
}
