export { type FieldOwner, listFieldOwners, personField } from './field-authority.store.ts'
