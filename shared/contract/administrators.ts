import { z } from 'zod'
import { Empty, get, Id, ListQuery, Moment, pageOf, post } from './endpoint.ts'
import { Permission } from './permissions.ts'

/** `super`: a super user, everywhere. `appointed`: for one organisation and everything below it. */
const AdministratorKind = z.enum(['super', 'appointed'])

/** `dormant`: the person is disabled or deleted, so it has no effect; `planned`: not begun; `over`: ended. */
export const ADMINISTRATION_STATES = ['holds', 'planned', 'over', 'dormant'] as const
const AdministrationState = z.enum(ADMINISTRATION_STATES)

export const Administrator = z.object({
  /** Of the appointment; for a super user the person's. */
  id: Id,
  kind: AdministratorKind,
  userId: Id,
  account: z.string(),
  name: z.string(),
  organizationId: Id.nullable(),
  /** From the root to the administered organisation, in the caller's language; empty for a super user. */
  organizationPath: z.array(z.string()),
  /** Empty: read only. */
  permissions: z.array(Permission),
  validFrom: z.iso.datetime().nullable(),
  validUntil: z.iso.datetime().nullable(),
  state: AdministrationState,
  /** Who appointed them; null for super users, and for appointments made otherwise. */
  grantedBy: z.string().nullable(),
  grantedAt: z.iso.datetime().nullable(),
  version: z.number().int(),
})
export type Administrator = z.infer<typeof Administrator>

export const ADMINISTRATOR_SORTS = ['account', '-account', 'name', '-name', 'validUntil', '-validUntil'] as const

export const listAdministrators = get(
  '/administrator_manage/query/',
  'superUser',
  ListQuery.extend({
    kind: AdministratorKind.optional(),
    state: AdministrationState.optional(),
    permission: Permission.optional(),
    /** People who administer this organisation, directly or through one above it. */
    organizationId: Id.optional(),
    sort: z.enum(ADMINISTRATOR_SORTS).default('account'),
  }),
  pageOf(Administrator),
  {
    summary:
      'Administrators and their appointments; `search`: the beginning of an account, part of a name or of an organisation',
    errors: ['list.too-deep'],
  },
)

export const administratorDetails = get(
  '/administrator_manage/{id}/details/',
  'superUser',
  z.strictObject({ id: Id }),
  Administrator,
  { summary: 'One appointment', errors: ['administrator.not-found'] },
)

const appointment = {
  permissions: z.array(Permission).max(20),
  validFrom: Moment.nullable().default(null),
  validUntil: Moment.nullable().default(null),
  reason: z.string().trim().max(500).optional(),
}
const PERIOD_ERRORS = ['administrator.period-over', 'administrator.period-reversed']

export const appointAdministrator = post(
  '/administrator_manage/create/',
  'superUser',
  z.strictObject({ userId: Id, organizationId: Id, ...appointment }),
  Administrator,
  {
    summary: 'Appoint a person for an organisation and everything below it',
    errors: [
      'administrator.person-unknown',
      'administrator.person-disabled',
      'administrator.is-super-user',
      'administrator.organization-unknown',
      'administrator.exists',
      ...PERIOD_ERRORS,
    ],
  },
)

export const changeAdministrator = post(
  '/administrator_manage/{id}/update/',
  'superUser',
  z.strictObject({ version: z.number().int(), ...appointment }),
  Administrator,
  {
    summary: 'Change permissions and period of an appointment; person and organisation stay',
    query: z.strictObject({ id: Id }),
    errors: ['administrator.not-found', 'version.conflict', ...PERIOD_ERRORS],
  },
)

const Ids = z.array(Id).min(1).max(1000)

export const renewAdministrators = post(
  '/administrator_manage/renew/',
  'superUser',
  z.strictObject({ ids: Ids, validUntil: Moment.nullable(), reason: appointment.reason }),
  z.object({ changed: z.number().int() }),
  {
    summary: 'Change the end of appointments; unknown ones refuse the whole call',
    errors: ['administrator.not-found', ...PERIOD_ERRORS],
  },
)

export const withdrawAdministrators = post(
  '/administrator_manage/withdraw/',
  'superUser',
  z.strictObject({ ids: Ids, reason: appointment.reason }),
  z.object({ withdrawn: z.number().int() }),
  {
    summary: 'Withdraw appointments, effective with the next request',
  },
)

/** The caller's current permissions in the back office. */
export const MyAdministration = z.object({
  isSuperUser: z.enum(['0', '1']),
  permissions: z.array(Permission).nullable(),
  /** Empty for super users, who may do everything everywhere. */
  places: z.array(
    z.object({
      organizationId: Id,
      organization: z.string(),
      permissions: z.array(Permission),
      validUntil: z.iso.datetime().nullable(),
    }),
  ),
})
export type MyAdministration = z.infer<typeof MyAdministration>

export const myAdministration = get('/administrator_manage/mine/', 'user', Empty, MyAdministration, {
  summary: 'My permissions in the back office, and where they apply',
})
