export { mountFiles } from './files.routes.ts'
export {
  claimAvatar,
  claimIcon,
  deleteOtherAvatars,
  fileUrl,
  keepThemePicture,
  purgeUploads,
  savePicture,
  uploadIcon,
} from './files.service.ts'
export { type EncodedPicture, reencodePicture } from './picture-encoding.service.ts'
