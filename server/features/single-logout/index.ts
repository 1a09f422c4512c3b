export { mountSingleLogout } from './back-channel.service.ts'
export { takeFrontChannelLogouts } from './front-channel.service.ts'
export { failUnseenLogouts, purgeLogoutDeliveries } from './single-logout.jobs.ts'
export { mountLogoutDeliveries } from './single-logout.routes.ts'
