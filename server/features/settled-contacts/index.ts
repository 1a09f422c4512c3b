export { confirmContact, givenAtBy, opensAccount } from './settled-contacts.ts'
