export { mountApplicationManage } from './application-manage.routes.ts'
export { applicationRestorer } from './application-restorer.service.ts'
export { applicationCategoryRestorer } from './category-restorer.service.ts'
