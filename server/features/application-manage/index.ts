export { mountApplicationManage } from './application-manage.routes.ts'
export { applicationRestorer } from './application-restorer.ts'
export { applicationCategoryRestorer } from './category-restorer.ts'
