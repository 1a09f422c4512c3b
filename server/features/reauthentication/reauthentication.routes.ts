import {
  beginReauthentication,
  queryReauthentication,
  REAUTHENTICATION_METHODS,
  submitReauthentication,
} from '#shared/contract/reauthentication.ts'
import type { Api } from '../../platform/http/mount.ts'
import {
  completeReauthentication,
  getReauthenticationStatus,
  type ReauthenticationHandler,
  startReauthentication,
} from './reauthentication.service.ts'

/** @param methods every method that exists, each from its own feature */
export function mountReauthentication(api: Api, methods: readonly ReauthenticationHandler[]): void {
  const rank = ({ name }: ReauthenticationHandler) => REAUTHENTICATION_METHODS.indexOf(name)
  const known = [...methods].sort((a, b) => rank(a) - rank(b))
  api.mount(queryReauthentication, (ctx) => getReauthenticationStatus(ctx, known))
  api.mount(beginReauthentication, (ctx, { body }) => startReauthentication(ctx, known, body.method))
  api.mount(submitReauthentication, (ctx, { body }) =>
    completeReauthentication(ctx, known, { name: body.method, answer: body.answer }),
  )
}
