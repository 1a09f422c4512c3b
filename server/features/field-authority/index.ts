export { type FieldOwner, isOwnedText, listFieldOwners, personField } from './field-authority.store.ts'
