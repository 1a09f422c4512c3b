import type { z } from 'zod'
import { AccountFields } from '#shared/contract/account-fields.ts'
import { ActivationRules } from '#shared/contract/activation.ts'
import { Gateway } from '#shared/contract/appearance.ts'
import { GetStartedMarks } from '#shared/contract/get-started.ts'
import { HomePageSettings } from '#shared/contract/home-page.ts'
import { LogInsightSettings } from '#shared/contract/log-insights.ts'
import { LoginPageSettings } from '#shared/contract/login-page.ts'
import { HttpChannel, MailGateway, MessageLimits, SmsGateway } from '#shared/contract/message-gateways.ts'
import { MessageRoutes } from '#shared/contract/message-routes.ts'
import { SmsTemplates } from '#shared/contract/message-templates.ts'
import { RecoveryRules } from '#shared/contract/password-recovery.ts'
import { AccessSettings } from '#shared/contract/policy-switch.ts'
import { SecurityQuestions } from '#shared/contract/security-questions.ts'
import { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { DirectorySyncSettings } from '#shared/contract/sync-switch.ts'
import { AppearanceSettings } from '#shared/contract/themes.ts'
import { VerificationCodeLimits } from '#shared/contract/verification-codes.ts'
import { MessageTemplates } from '../messages/index.ts'

/** The settings that an institution may change: only the given keys of each are stored, so that defaults can change with the product. */
export const SETTINGS_DOCUMENTS: Readonly<Record<string, z.ZodType<Record<string, unknown>>>> = {
  access: AccessSettings,
  accountFields: AccountFields,
  activation: ActivationRules,
  appearance: AppearanceSettings,
  login: SignInPolicy,
  logInsights: LogInsightSettings,
  loginPage: LoginPageSettings,
  gateway: Gateway,
  homePage: HomePageSettings,
  directorySyncs: DirectorySyncSettings,
  getStarted: GetStartedMarks,
  messages: MessageLimits,
  messageRoutes: MessageRoutes,
  'message-templates': MessageTemplates,
  passwordRecovery: RecoveryRules,
  securityQuestions: SecurityQuestions,
  smsTemplates: SmsTemplates,
  verificationCodes: VerificationCodeLimits,
}

/** Documents that contain a secret: given and stored as a whole, encrypted. */
export const SEALED_DOCUMENTS: Readonly<
  Record<'mail' | 'sms' | 'messageGateway', z.ZodType<MailGateway | SmsGateway | HttpChannel>>
> = {
  mail: MailGateway,
  sms: SmsGateway,
  messageGateway: HttpChannel,
}

export const isSealed = (name: string): name is keyof typeof SEALED_DOCUMENTS => Object.hasOwn(SEALED_DOCUMENTS, name)
