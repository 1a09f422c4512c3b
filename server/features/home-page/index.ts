export { announcementRestorer } from './announcements.service.ts'
export { mountHomePage } from './home-page.routes.ts'
