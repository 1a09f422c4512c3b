import type { CoremailPlace } from '#shared/contract/address-books.ts'
import type { ConnectorContext } from '../connector.types.ts'

export type BookDepartment = { id: number; name: string; parentId: number }

/** A person in a vendor's address book. */
export type BookPerson = {
  id: string
  name: string
  /** Null: the vendor doesn't return it. */
  mobile: string | null
  email: string | null
  departments: number[]
  isDisabled: boolean
  /** Has activated their account there. */
  hasJoined: boolean
  /** A state there that can't be compared with ours, so that nothing is written. */
  unknownState?: string
}

export type BookPersonFields = Partial<Pick<BookPerson, 'departments' | 'isDisabled'>> & {
  name?: string
  mobile?: string
  email?: string
}

/** An address book that is read and written through the vendor's own API, within its rate limits. All: @throws ConnectorFault. */
export type OpenAddressBook = {
  /** A department and all below it, parents first. */
  departments(root: number): Promise<BookDepartment[]>
  /** Null: there is none with that id. */
  department(id: number): Promise<BookDepartment | null>
  /** Direct members of a department. */
  people(department: number): Promise<BookPerson[]>
  /** Null: there is nobody with that id. */
  person(id: string): Promise<BookPerson | null>
  /** @returns its id. */
  createDepartment(fields: Omit<BookDepartment, 'id'>): Promise<number>
  updateDepartment(id: number, fields: Partial<Omit<BookDepartment, 'id'>>): Promise<void>
  deleteDepartment(id: number): Promise<void>
  createPerson(id: string, fields: BookPersonFields): Promise<void>
  updatePerson(id: string, fields: BookPersonFields): Promise<void>
  deletePerson(id: string): Promise<void>
  /**
   * Of a mail provider, whose people are mailboxes: those of these addresses that are there. Departments it has none, and no mailbox is
   * deleted.
   */
  mailboxes?(addresses: readonly string[]): AsyncIterable<BookPerson>
}

/** The corporation or application, its secret, and the host to call. */
export type BookSettings = {
  application: string
  secret: string
  host: string
  /** Where Coremail creates a mailbox. */
  coremail?: CoremailPlace | null
}

export type BookOptions = {
  /** Waits this many milliseconds. @throws what ends the work meanwhile. */
  wait(ms: number): Promise<void>
}

export type OpenBook = (context: ConnectorContext, settings: BookSettings, options: BookOptions) => OpenAddressBook
