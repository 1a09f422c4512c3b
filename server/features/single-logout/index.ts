export { mountSingleLogout } from './back-channel.service.ts'
export { takeFrontChannelLogouts } from './front-channel.service.ts'
export { forgetLogoutDeliveries, settleUnseenLogouts } from './single-logout.jobs.ts'
