export { DEMO_APPLICATION_IDS, type DemoBases, demoApplications } from './demo.applications.ts'
export { demoNewcomers, expectedBases, isDemoSchool, loadDemoSchool, moveDemoApplications } from './demo.service.ts'
export { TOWN_ID, TOWN_PEOPLE } from './demo.town-id.ts'
export { type DemoAccount, demoAccounts } from './demo-accounts.ts'
