export type {
  BookDepartment,
  BookPerson,
  BookPersonFields,
  OpenAddressBook,
  OpenBook,
} from './address-book.types.ts'
export { openCoremailBook } from './coremail-book.ts'
export { openDingdingBook } from './dingding-book.ts'
export { openDingdingSource } from './dingding-source.ts'
export { openExmailBook } from './exmail-book.ts'
export { openQywxBook } from './qywx-book.ts'
export { openQywxSource } from './qywx-source.ts'
