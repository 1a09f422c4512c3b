import type { BookSync } from '#shared/contract/address-books.ts'
import { BOOK_HOSTS } from '#shared/contract/address-books.ts'
import { ADDRESS_BOOKS, type BookDepartment, type BookPerson, type OpenAddressBook } from '../../connectors/index.ts'
import type { Context } from '../../platform/platform.ts'
import { type RunningTask, StoppedError, waitIn } from '../background-tasks/index.ts'
import { loadTree } from '../organizations/index.ts'
import { findSecret } from './address-books.store.ts'
import { listLinks, listPeople } from './book-links.store.ts'
import { type BookWorld, organizationsBelow } from './book-plan.rules.ts'
import type { BookLink, BookValues, LocalPerson } from './book-plan.types.ts'

/** The address book of a sync; what waits for the vendor's budget ends with its task. */
export async function openBook(
  ctx: Context,
  { id, vendor, application, host }: BookSync,
  task: RunningTask,
): Promise<OpenAddressBook> {
  const settings = { application, secret: await findSecret(ctx, id), host: host || BOOK_HOSTS[vendor] }
  return ADDRESS_BOOKS[vendor](ctx, settings, { wait: waitIn(task) })
}

/** What a plan keeps, sealed. */
export const seal = ({ secrets }: Context, value: object): string => secrets.seal(JSON.stringify(value))
export const unseal = <Value>({ secrets }: Context, sealed: string): Value => JSON.parse(secrets.open(sealed)) as Value

/** Links with what was sent last. */
export const openLinks = (ctx: Context, links: readonly BookLink[]) =>
  links.map((link) => ({ ...link, sent: link.sent === null ? null : unseal<BookValues>(ctx, link.sent) }))

/** Who of ours is sent; of these alone where `ids` names them. */
export async function loadPeople(
  ctx: Context,
  { roots, categoryIds }: BookSync,
  ids: readonly string[] | null = null,
): Promise<{ organizations: BookWorld['organizations']; people: LocalPerson[] }> {
  const organizations = await loadTree(ctx, false)
  const rootIds = roots.map(({ organizationId }) => organizationId)
  const within = [...rootIds, ...organizationsBelow(organizations, rootIds).map(({ id }) => id)]
  const people = await listPeople(ctx.db, { organizationIds: within, categoryIds, at: ctx.now() }, ids)
  return { organizations, people: [...people] }
}

/** Reads both sides to their end. @throws ConnectorFault, StoppedError */
export async function loadWorld(
  ctx: Context,
  sync: BookSync,
  book: OpenAddressBook,
  task: RunningTask,
): Promise<BookWorld> {
  const departments = new Map<number, BookDepartment>()
  const people = new Map<string, BookPerson>()
  for (const { departmentId } of sync.roots)
    for (const one of await book.departments(departmentId)) departments.set(one.id, one)
  for (const id of departments.keys()) {
    if (task.cancelled()) throw new StoppedError()
    for (const one of await book.people(id)) people.set(one.id.toLowerCase(), one)
  }
  return {
    ...(await loadPeople(ctx, sync)),
    links: openLinks(ctx, await listLinks(ctx.db, sync.id)),
    departments: [...departments.values()],
    book: [...people.values()],
  }
}
