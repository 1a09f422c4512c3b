import { testFieldFormat } from '#shared/contract/field-values.ts'
import { createUser, updateUser } from '#shared/contract/users.ts'
import type { Api } from '../../platform/http/mount.ts'
import { createPerson, updatePerson } from './form.service.ts'
import { judgeFormat } from './format-test.service.ts'

export function mountPeopleSave(api: Api): void {
  api.mount(createUser, (ctx, { body }) => createPerson(ctx, body))
  api.mount(updateUser, (ctx, { query, body }) => updatePerson(ctx, query.id, body))
  api.mount(testFieldFormat, async (ctx, { body }) => judgeFormat(ctx, body))
}
