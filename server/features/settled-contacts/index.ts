export { confirmContact, givenAtBy, opensAccount, SETTLED_DAYS } from './settled-contacts.ts'
