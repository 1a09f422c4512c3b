import type { ConnectorContext } from '../connector.types.ts'

export type BookDepartment = { id: number; name: string; parentId: number }

/** Somebody in a vendor's address book. */
export type BookPerson = {
  id: string
  name: string
  /** Null: the vendor doesn't tell it. */
  mobile: string | null
  email: string | null
  departments: number[]
  isDisabled: boolean
  /** Has taken up their account there. */
  hasJoined: boolean
}

export type BookPersonFields = Partial<Pick<BookPerson, 'departments' | 'isDisabled'>> & {
  name?: string
  mobile?: string
  email?: string
}

/** An address book that is read and written by the vendor's own interface, within its budget of calls. All: @throws ConnectorFault. */
export type OpenAddressBook = {
  /** A department and all below it, those above first. */
  departments(root: number): Promise<BookDepartment[]>
  /** Null: there is none of that id. */
  department(id: number): Promise<BookDepartment | null>
  /** Who is in a department itself. */
  people(department: number): Promise<BookPerson[]>
  /** Null: there is nobody of that id. */
  person(id: string): Promise<BookPerson | null>
  /** @returns its id. */
  createDepartment(fields: Omit<BookDepartment, 'id'>): Promise<number>
  updateDepartment(id: number, fields: Partial<Omit<BookDepartment, 'id'>>): Promise<void>
  deleteDepartment(id: number): Promise<void>
  createPerson(id: string, fields: BookPersonFields): Promise<void>
  updatePerson(id: string, fields: BookPersonFields): Promise<void>
  deletePerson(id: string): Promise<void>
}

/** The corporation or application, its secret, and where it is called. */
export type BookSettings = { application: string; secret: string; host: string }

export type BookOptions = {
  /** Lets so many milliseconds go by. @throws what ends the work meanwhile. */
  wait(ms: number): Promise<void>
}

export type OpenBook = (context: ConnectorContext, settings: BookSettings, options: BookOptions) => OpenAddressBook
