import type { listUsers } from '#shared/contract/users.ts'
import type { Input } from '../../platform/http/mount.ts'
import type { Total } from '../../platform/list.ts'

export type PageQuery = Pick<Input<typeof listUsers>['query'], 'pageIndex' | 'pageSize' | 'sort'>

export type PeoplePage = { ids: string[]; total: Total }
