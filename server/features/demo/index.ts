export { DEMO_APPLICATION_IDS, type DemoBases, demoApplications } from './demo.applications.ts'
export { demoNewcomers, expectedBases, isDemoSchool, loadDemoSchool, moveDemoApplications } from './demo.service.ts'
export { type DemoAccount, demoAccounts } from './demo-accounts.ts'
