import type { FastifyInstance } from 'fastify'
import { ENDING_HANDLERS } from './ending-handlers.ts'
import { mountAccessRules } from './features/access-rules/index.ts'
import { mountAccountFields } from './features/account-fields/index.ts'
import { mountAccountHolds } from './features/account-holds/index.ts'
import { mountAccountSecurity } from './features/account-security/index.ts'
import { mountAccountVerbs } from './features/account-verbs/index.ts'
import { activationSubject, findActivationRecipient, mountActivation } from './features/activation/index.ts'
import { mountAddressBooks } from './features/address-books/index.ts'
import { mountAdministrators } from './features/administrators/index.ts'
import { mountApiDocs } from './features/api-docs/index.ts'
import { mountApiRegistry, runAsApplication } from './features/api-registry/index.ts'
import { verifySignature } from './features/api-signature/index.ts'
import { mountAppearance, mountAssets, mountPages, registerLoginOptions } from './features/appearance/index.ts'
import { mountPreview } from './features/appearance-preview/index.ts'
import { mountApplicationGrants } from './features/application-grants/index.ts'
import { mountApplicationManage } from './features/application-manage/index.ts'
import { ensurePortalApplication, mountMyApps } from './features/applications/index.ts'
import { mountBackgroundTasks } from './features/background-tasks/index.ts'
import { mountCaptcha } from './features/captcha/index.ts'
import { mountChangeHistory } from './features/change-history/index.ts'
import { mountConsents } from './features/consents/index.ts'
import { mountCorporateMailbox } from './features/corporate-mailbox/index.ts'
import { mountDataSources } from './features/data-sources/index.ts'
import { mountDirectorySyncs } from './features/directory-syncs/index.ts'
import { mountFiles } from './features/files/index.ts'
import { mountGetStarted } from './features/get-started/index.ts'
import { mountGlobalSearch } from './features/global-search/index.ts'
import { mountHomePage } from './features/home-page/index.ts'
import { mountIpRanges } from './features/ip-ranges/index.ts'
import { mountLanguages, mountOwnTexts } from './features/languages/index.ts'
import { mountLogCentre } from './features/log-centre/index.ts'
import { mountLogExports } from './features/log-exports/index.ts'
import { mountLogInsights } from './features/log-insights/index.ts'
import { mountLogStreams } from './features/log-streams/index.ts'
import { mountLoginConfig } from './features/login-config/index.ts'
import { mountMessageRoutes } from './features/message-routes/index.ts'
import { mountMessageTemplates } from './features/message-templates/index.ts'
import { mountMessageGateways, mountMessages, mountOutbox } from './features/messages/index.ts'
import { mountOrganizations } from './features/organizations/index.ts'
import { mountOverview } from './features/overview/index.ts'
import {
  findRecoveryRecipient,
  findRecoverySubject,
  mountPasswordRecovery,
  recoveryLoginOption,
} from './features/password-recovery/index.ts'
import { mountPasswords } from './features/passwords/index.ts'
import { mountPeopleList } from './features/people-list/index.ts'
import { mountPeopleSave } from './features/people-save/index.ts'
import { mountPolicyImpact } from './features/policy-impact/index.ts'
import { mountPolicySwitch } from './features/policy-switch/index.ts'
import { mountProfile } from './features/profile/index.ts'
import { mountPromptPages } from './features/prompt-pages/index.ts'
import {
  codeReauthentication,
  mountReauthentication,
  passwordReauthentication,
} from './features/reauthentication/index.ts'
import { mountRecordRetention } from './features/record-retention/index.ts'
import { mountMyRecords, recordDenied } from './features/records/index.ts'
import { mountReferenceData } from './features/reference-data/index.ts'
import { mountRoles } from './features/roles/index.ts'
import { mountScimClients } from './features/scim-clients/index.ts'
import { factorReauthentication, mountSecondFactors } from './features/second-factors/index.ts'
import { mountSecurityQuestions } from './features/security-questions/index.ts'
import { authenticateOrExplain as authenticate, mountSessions } from './features/sessions/index.ts'
import { mountSetup } from './features/setup/index.ts'
import { findLoginRecipient, passkeyLoginOption, typedLoginOptions } from './features/sign-in/index.ts'
import { mountLogoutDeliveries, mountSingleLogout } from './features/single-logout/index.ts'
import { mountSourceEvents } from './features/source-events/index.ts'
import { mountApplicationStatistics } from './features/statistics/index.ts'
import { mountSystemSettings } from './features/system-settings/index.ts'
import { mountTableChoices } from './features/table-choices/index.ts'
import { mountThemes } from './features/themes/index.ts'
import { mountThirdPartyAccounts, thirdPartyLoginOptions } from './features/third-party-accounts/index.ts'
import { mountUnconfirmedChanges } from './features/unconfirmed-changes/index.ts'
import { mountUserImports } from './features/user-imports/index.ts'
import { mountVendors } from './features/vendors/index.ts'
import { mountVerificationCodes } from './features/verification-codes/index.ts'
import { type Api, type ApiGuard, createApi } from './platform/http/mount.ts'
import { createHttpServer } from './platform/http/server.ts'
import type { Platform } from './platform/platform.ts'
import { casRelease, mountCas, mountPortalCallback, mountThirdPartyLogin } from './protocols/cas/index.ts'
import { mountOidc, openIdRelease } from './protocols/oidc/index.ts'
import { mountScim } from './protocols/scim/index.ts'
import { RESTORERS } from './restorers.ts'

/** Back-office pages for who may log in, how and from where. */
function mountSecurityCentre(api: Api): void {
  mountAccessRules(api)
  mountIpRanges(api)
  mountVendors(api)
  mountLoginConfig(api)
  mountRecordRetention(api)
  mountAccountFields(api)
  mountPolicyImpact(api)
  mountPolicySwitch(api)
  mountUnconfirmedChanges(api, RESTORERS)
}

/** The composition root: the one place that mounts every feature and protocol. */
export async function createApp(platform: Platform): Promise<FastifyInstance> {
  await ensurePortalApplication(platform)
  const app = await createHttpServer(platform)
  const guard: ApiGuard = { authenticate, verifySignature, runAsApplication, recordDenied: recordDenied }
  const api = createApi(app, platform, guard)
  mountAccountSecurity(api)
  mountActivation(api)
  mountAdministrators(api)
  mountApiDocs(api)
  mountApiRegistry(api)
  mountLooks(api, app, platform)
  registerLoginOptions(app, [typedLoginOptions, recoveryLoginOption, passkeyLoginOption, thirdPartyLoginOptions])
  mountBackgroundTasks(api)
  mountCaptcha(api)
  mountChangeHistory(api, RESTORERS)
  mountConsents(api)
  mountFiles(api)
  mountReauthentication(api, [passwordReauthentication, ...codeReauthentication, ...factorReauthentication])
  mountApplicationGrants(api)
  mountMyApps(api)
  mountApplicationManage(api, {
    cas: (ctx, application, person) => casRelease(application, person, ctx.now()),
    oauth2: (ctx, application, person) => openIdRelease(ctx, application, person, ctx.now()),
  })
  mountMyRecords(api)
  mountLanguages(api)
  mountOrganizations(api, ENDING_HANDLERS)
  mountOverview(api)
  mountPasswordRecovery(api)
  mountPasswords(api, { recovery: findRecoverySubject, activation: activationSubject })
  mountSecurityQuestions(api)
  mountProfile(api)
  mountRoles(api)
  mountSecondFactors(api)
  mountSessions(api)
  mountLogoutDeliveries(api)
  mountLogs(api)
  mountGlobalSearch(api)
  mountSetup(api)
  mountApplicationStatistics(api)
  mountTableChoices(api)
  mountThirdPartyAccounts(api)
  mountPeople(api)
  mountVerificationCodes(api, {
    login: findLoginRecipient,
    recovery: findRecoveryRecipient,
    activation: findActivationRecipient,
  })
  mountReferenceData(api)
  mountSecurityCentre(api)
  mountSettings(api)
  mountOutbox(api, app, platform)
  mountMessages(app, platform)
  mountSingleLogout(app, platform)
  mountPortalCallback(api)
  mountThirdPartyLogin(api)
  await mountProtocols(api, app, platform)
  await mountAssets(app)
  mountOwnTexts(app, platform)
  mountPages(app, platform)
  return app
}

/** Appearance of pages and messages, and the back-office calls that change it. */
function mountLooks(api: Api, app: FastifyInstance, platform: Platform): void {
  mountAppearance(api)
  mountThemes(api)
  mountHomePage(api)
  mountPreview(api, app, platform)
  mountPromptPages(api, app, platform)
  mountMessageTemplates(api, app, platform)
}

/** What other systems call. */
async function mountProtocols(api: Api, app: FastifyInstance, platform: Platform): Promise<void> {
  await mountCas(app, platform)
  await mountOidc(app, platform)
  await mountScim(app, platform)
  await mountSourceEvents(api, app, platform)
}

/** What the set-up asks for, and what is left to do after it. */
function mountSettings(api: Api): void {
  mountGetStarted(api)
  mountDataSources(api)
  mountDirectorySyncs(api)
  mountAddressBooks(api)
  mountScimClients(api)
  mountSystemSettings(api)
  mountMessageGateways(api)
  mountMessageRoutes(api)
  mountCorporateMailbox(api)
}

function mountLogs(api: Api): void {
  mountLogCentre(api)
  mountLogExports(api)
  mountLogInsights(api)
  mountLogStreams(api)
}

function mountPeople(api: Api): void {
  mountUserImports(api)
  mountPeopleList(api)
  mountPeopleSave(api)
  mountAccountVerbs(api)
  mountAccountHolds(api)
}
