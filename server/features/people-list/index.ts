export { getPersonDetails } from './details.service.ts'
export { exactPredicatesFor } from './people-filter.store.ts'
export { mountPeopleList } from './people-list.routes.ts'
export { listPeopleAs, listPeopleIds } from './people-list.service.ts'
export { namedJson } from './people-list.store.ts'
export {
  closedState,
  type ExemptionColumns,
  exemptionColumns,
  freezeStart,
  toExemption,
} from './person-states.store.ts'
