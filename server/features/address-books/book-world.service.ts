import { BOOK_HOSTS, type BookSync, isMailProvider, type MailboxVendor } from '#shared/contract/address-books.ts'
import {
  ADDRESS_BOOKS,
  type BookDepartment,
  type BookPerson,
  ConnectorFault,
  type OpenAddressBook,
} from '../../connectors/index.ts'
import type { Context } from '../../platform/platform.ts'
import { type RunningTask, StoppedError, waitIn } from '../background-tasks/index.ts'
import { addressesOf, findAddressRules } from '../corporate-mailbox/index.ts'
import { loadTree } from '../organizations/index.ts'
import { findSecret } from './address-books.store.ts'
import { listLinks, listPeople } from './book-links.store.ts'
import { type BookWorld, departmentIdsBelow, organizationsBelow } from './book-plan.rules.ts'
import type { BookLink, BookValues, LocalPerson } from './book-plan.types.ts'

/** Opens the address book of a sync; waiting for the vendor's rate limit ends with the task. */
export async function openBook(
  ctx: Context,
  { id, vendor, application, host, coremail }: BookSync,
  task: RunningTask,
): Promise<OpenAddressBook> {
  const settings = { application, secret: await findSecret(ctx, id), host: host || BOOK_HOSTS[vendor], coremail }
  return ADDRESS_BOOKS[vendor](ctx, settings, { wait: waitIn(task) })
}

/** Encrypts a planned change. */
export const seal = ({ secrets }: Context, value: object): string => secrets.seal(JSON.stringify(value))
export const unseal = <Value>({ secrets }: Context, sealed: string): Value => JSON.parse(secrets.open(sealed)) as Value

/** Links with the values sent last, decrypted. */
export const openLinks = (ctx: Context, links: readonly BookLink[]) =>
  links.map((link) => ({ ...link, sent: link.sent === null ? null : unseal<BookValues>(ctx, link.sent) }))

/** The people to send, optionally only those in `ids`. */
export async function loadPeople(
  ctx: Context,
  { vendor, roots, categoryIds }: BookSync,
  ids: readonly string[] | null = null,
): Promise<{ organizations: BookWorld['organizations']; people: LocalPerson[] }> {
  const organizations = await loadTree(ctx, false)
  const rootIds = roots.map(({ organizationId }) => organizationId)
  const within = [...rootIds, ...organizationsBelow(organizations, rootIds).map(({ id }) => id)]
  const people = await listPeople(ctx.db, { organizationIds: within, categoryIds, at: ctx.now() }, ids)
  return { organizations, people: isMailProvider(vendor) ? await withAddresses(ctx, vendor, people, ids) : [...people] }
}

/** Whom the rules of the corporate mailbox cover, with their addresses. @throws ConnectorFault where they are gone. */
async function withAddresses(
  ctx: Context,
  vendor: MailboxVendor,
  people: readonly LocalPerson[],
  ids: readonly string[] | null,
): Promise<LocalPerson[]> {
  const rules = await findAddressRules(ctx, vendor)
  if (!rules) throw new ConnectorFault('misconfigured', 'mailboxes are at another provider')
  const addresses = await addressesOf(ctx, rules, ids)
  return people.flatMap((person) => {
    const { address = null, problem = 'no-rule' } = addresses.get(person.id) ?? {}
    if (problem === 'no-rule') return []
    return [
      { ...person, mailbox: null, userid: address ?? '', problem: problem && { key: `mailbox-problem.${problem}` } },
    ]
  })
}

/** What our departments are there, as far as they are there. */
export async function departmentIdsOf(
  ctx: Context,
  { id, vendor, roots }: BookSync,
  organizations: BookWorld['organizations'],
): Promise<Map<string, number>> {
  if (isMailProvider(vendor)) return departmentIdsBelow(organizations, roots)
  const departmentIds = new Map(roots.map(({ organizationId, departmentId }) => [organizationId, departmentId]))
  for (const { kind, localId, externalId } of await listLinks(ctx.db, id))
    if (kind === 'department') departmentIds.set(localId, Number(externalId))
  return departmentIds
}

/** Everybody there who matters to us, of these departments there or of these mailboxes. */
async function* readBook(
  book: OpenAddressBook,
  departments: readonly BookDepartment[],
  addresses: readonly string[],
): AsyncGenerator<BookPerson> {
  if (book.mailboxes) yield* book.mailboxes(addresses)
  for (const { id } of departments) yield* await book.people(id)
}

/** Reads both sides completely. @throws ConnectorFault, StoppedError */
export async function loadWorld(
  ctx: Context,
  sync: BookSync,
  book: OpenAddressBook,
  task: RunningTask,
): Promise<BookWorld> {
  const here = await loadPeople(ctx, sync)
  const links = openLinks(ctx, await listLinks(ctx.db, sync.id))
  const departments = new Map<number, BookDepartment>()
  for (const { departmentId } of sync.roots)
    for (const one of await book.departments(departmentId)) departments.set(one.id, one)
  const known = new Set([...here.people.map(({ userid }) => userid), ...links.map(({ externalId }) => externalId)])
  known.delete('')
  const people = new Map<string, BookPerson>()
  for await (const one of readBook(book, [...departments.values()], [...known])) {
    if (task.cancelled()) throw new StoppedError()
    people.set(one.id.toLowerCase(), one)
  }
  return { ...here, links, departments: [...departments.values()], book: [...people.values()] }
}
