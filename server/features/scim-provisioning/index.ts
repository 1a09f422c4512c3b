export { COMPARISONS, type Comparison, type Condition } from './condition.rules.ts'
export { MAX_GROUP_MEMBERS, type MemberStep } from './group-members.service.ts'
export {
  changeGroup,
  createGroup,
  type GroupChange,
  getGroup,
  readableKinds,
  removeGroup,
} from './groups.service.ts'
export {
  countGroups,
  GROUP_KINDS,
  type GroupColumn,
  type GroupKind,
  type GroupMember,
  listGroups,
  listMembers,
  type ScimGroup,
} from './groups.store.ts'
export { changePerson, createPerson, getPerson, type PersonChange, removePerson } from './people.service.ts'
export {
  countPeople,
  listGroupsOf,
  listPeople,
  type PersonColumn,
  type PersonGroup,
  type ScimPerson,
} from './people.store.ts'
export { errors as provisioningErrors } from './scim-provisioning.errors.ts'
