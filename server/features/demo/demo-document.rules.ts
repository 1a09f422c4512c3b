import type { BootstrapInput } from '../bootstrap/index.ts'
import type { DemoAccount } from './demo-accounts.service.ts'
import { type DemoBases, demoApplicationCategories, demoApplications } from './demo-applications.rules.ts'
import { demoAttributes, demoOrganizations } from './demo-organizations.rules.ts'
import { demoCategories, demoPeople, demoPersonnelTypes, demoRoles } from './demo-people.rules.ts'
import { demoProviders } from './demo-town-id.rules.ts'
import { demoVendors } from './demo-vendors.rules.ts'

const THIRTY_DAYS = 2_592_000

const PLACES: Record<DemoAccount['role'], { organization: string; category: string; roles: string[]; phone: string }> =
  {
    superUser: { organization: 'it', category: 'staff', roles: ['portal-administrator'], phone: '13800000001' },
    teacher: { organization: 'cs', category: 'faculty', roles: ['head'], phone: '13800000002' },
    student: { organization: 'cs', category: 'undergraduate', roles: ['monitor'], phone: '13800000003' },
  }

const GENDERS = { superUser: 'male', teacher: 'female', student: 'male' } as const

/** The demo school as a bootstrap document. Only the demo accounts have passwords. */
export function demoDocument(accounts: readonly DemoAccount[], bases: DemoBases): BootstrapInput {
  return {
    organizationAttributes: demoAttributes,
    organizations: demoOrganizations(),
    userCategories: demoCategories,
    personnelTypes: demoPersonnelTypes,
    roles: demoRoles,
    users: [
      ...accounts.map(({ account, name, role, password }) => ({
        account,
        name,
        password,
        gender: GENDERS[role],
        mailbox: `${account}@example.edu`,
        isSuperUser: role === 'superUser',
        ...PLACES[role],
      })),
      ...demoPeople(),
    ],
    applicationCategories: demoApplicationCategories,
    applications: demoApplications(bases),
    thirdPartyProviders: [...demoVendors(bases), ...demoProviders(bases)],
    settings: {
      // Whoever tries the product with the printed account should not need an authenticator for that.
      login: { rememberMeLongSecond: THIRTY_DAYS, secondFactorSuperUsers: false },
      gateway: {
        names: { zh_CN: '示范大学', zh_TW: '示範大學', en: 'Demo University' },
        contacts: {
          zh_CN: '信息化办公室 · 010-0000 0000',
          zh_TW: '資訊中心 · 010-0000 0000',
          en: 'IT Services · 010-0000 0000',
        },
      },
    },
  }
}
