import { PromptPage } from '../features/languages/PromptPage.tsx'

export const AccountLoginRoute = () => <PromptPage page="account-login" />
export const AccountErrorRoute = () => <PromptPage page="account-error" />
export const DynamicCodeLoginRoute = () => <PromptPage page="dynamicCode-login" />
export const GetPasswordRoute = () => <PromptPage page="get-password" />
export const AccountActivateRoute = () => <PromptPage page="account-activate" />
export const UserDataAddRoute = () => <PromptPage page="userData-add" />
export const PhoneBindRoute = () => <PromptPage page="phone-bind" />
