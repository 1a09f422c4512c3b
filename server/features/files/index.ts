export { mountFiles } from './files.routes.ts'
export { addressOf, claimAvatar, dropAvatars, forgetUploads, savePicture } from './files.service.ts'
export { type Painted, repaint } from './repaint.ts'
