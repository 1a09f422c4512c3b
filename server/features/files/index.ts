export { mountFiles } from './files.routes.ts'
export {
  addressOf,
  claimAvatar,
  claimIcon,
  dropAvatars,
  forgetUploads,
  savePicture,
  uploadIcon,
} from './files.service.ts'
export { type Painted, repaint } from './repaint.ts'
