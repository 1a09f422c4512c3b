export { mountPreview } from './preview.routes.ts'
export { findPreviewDraft } from './preview.service.ts'
export { samplePage } from './preview-samples.rules.ts'
