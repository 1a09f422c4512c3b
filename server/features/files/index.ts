export { mountFiles } from './files.routes.ts'
export { addressOf, repaint, savePicture } from './files.service.ts'
