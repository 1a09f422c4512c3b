export {
  type FieldOwner,
  type FieldOwners,
  listFieldOwners,
  listOrganizationOwners,
  organizationField,
  personField,
  type Ranked,
  takesPrecedence,
} from './field-authority.store.ts'
