import type { listUsers } from '#shared/contract/users.ts'
import type { Input } from '../../platform/http/mount.ts'
import type { Total } from '../../platform/list.ts'
import type { PeopleSort } from './people-list.store.ts'

export type PageQuery = Pick<Input<typeof listUsers>['query'], 'pageIndex' | 'pageSize'> & { sort: PeopleSort }

export type PeoplePage = { ids: string[]; total: Total }
