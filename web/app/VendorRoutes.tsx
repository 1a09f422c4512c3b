import type { VendorKey } from '#shared/contract/vendors.ts'
import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { VendorPage } from '../features/vendors/VendorPage.tsx'

const Vendor = ({ vendor }: { vendor: VendorKey }) => (
  <VendorPage key={vendor} vendor={vendor} history={<HistoryTab kind="vendor" id={vendor} />} />
)

export const QywxRoute = () => <Vendor vendor="qywx" />
export const DingdingRoute = () => <Vendor vendor="dingding" />
export const WeixinRoute = () => <Vendor vendor="weChat" />
export const QqRoute = () => <Vendor vendor="qq" />
export const AuthEduRoute = () => <Vendor vendor="auth-edu" />
