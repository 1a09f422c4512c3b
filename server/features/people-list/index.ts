export { getPersonDetails } from './details.service.ts'
export { mountPeopleList } from './people-list.routes.ts'
export { listPeopleAs, listPeopleIds } from './people-list.service.ts'
export { namedJson } from './people-list.store.ts'
