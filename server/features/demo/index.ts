export { demoNewcomers, expectedBases, isDemoSchool, loadDemoSchool, moveDemoApplications } from './demo.service.ts'
export { type DemoAccount, demoAccounts } from './demo-accounts.service.ts'
export { DEMO_APPLICATION_IDS, type DemoBases, demoApplications } from './demo-applications.rules.ts'
export { TOWN_ID, TOWN_PEOPLE } from './demo-town-id.rules.ts'
