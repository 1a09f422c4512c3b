export { getPersonDetails } from './details.service.ts'
export { mountPeopleList } from './people-list.routes.ts'
export { listPeopleIds } from './people-list.service.ts'
