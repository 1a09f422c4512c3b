export { mountProfile } from './profile.routes.ts'
export { assertWellFormed, checkTypedFields, type Filling, writeTypedFields } from './typed-fields.service.ts'
