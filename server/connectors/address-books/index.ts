export type {
  BookDepartment,
  BookPerson,
  BookPersonFields,
  OpenAddressBook,
  OpenBook,
} from './address-book.types.ts'
export { openCoremailBook } from './coremail-book.service.ts'
export { openDingdingBook } from './dingding-book.service.ts'
export { openDingdingSource } from './dingding-source.service.ts'
export { openExmailBook } from './exmail-book.service.ts'
export { openQywxBook } from './qywx-book.service.ts'
export { openQywxSource } from './qywx-source.service.ts'
