import { errors as platformErrors } from '../../platform/errors.ts'
import type { Context } from '../../platform/platform.ts'
import { rotateClientSecret } from '../client-secrets/index.ts'
import { errors } from './application-manage.errors.ts'
import { changeApplication, getApplication, loadApplicationDetails } from './application-manage.service.ts'

/** @throws Refusal `application.not-a-client`, `version.conflict`. */
export async function rotateApplicationSecret(
  ctx: Context,
  id: string,
  version: number,
): Promise<{ secret: string; version: number }> {
  const row = await getApplication(ctx, id)
  if (row.protocol !== 'oauth2' || row.builtIn) throw errors['application.not-a-client']()
  const secret = row.version === version ? await rotateClientSecret(ctx, row.appId, { version }) : null
  const after = await getApplication(ctx, id)
  if (secret === null)
    throw platformErrors['version.conflict']({ data: { current: await loadApplicationDetails(ctx, after) } })
  return { secret, version: after.version }
}

export const removeApplicationSecret = (ctx: Context, id: string, version: number) =>
  changeApplication(ctx, id, version, 'client-secret.remove', async (_, row) => {
    if (row.protocol !== 'oauth2') throw errors['application.not-a-client']()
    const needs = row.grantTypes.some((grant) => grant === 'password' || grant === 'client_credentials')
    if (needs) throw errors['application.secret-needed']()
    return { ...row, clientSecretHash: null }
  })
