import type { Language } from '#shared/contract/endpoint.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import { escapeHtml } from '../appearance/index.ts'

type MailContent = {
  school: string
  text: string
  /** Below the text. */
  footer: string
  language: Language
  direction: 'ltr' | 'rtl'
  code: string | null
}

export type MailBody = { text: string; html: string }

const PAGE = 'margin:0;padding:24px 12px;background:#f4f5f7;color:#1c2430'
const CARD = 'max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:8px'
const FONT = "font:16px/1.6 system-ui,-apple-system,'Segoe UI','PingFang SC','Microsoft YaHei',sans-serif"
const CODE = 'font-size:30px;letter-spacing:6px;font-weight:600;margin:16px 0'

/** A mail in both forms: paragraphs, a large code, a link; no picture, nothing loaded. */
export function renderMailBody({ school, text, footer, language, direction, code }: MailContent): MailBody {
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => renderParagraph(paragraph, code))
  const html = [
    `<!doctype html><html lang="${languageTag(language)}" dir="${direction}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width"><meta name="referrer" content="no-referrer"></head>',
    `<body style="${PAGE}"><div style="${CARD};${FONT}">`,
    `<p style="margin:0 0 16px;font-weight:600">${escapeHtml(school)}</p>`,
    ...paragraphs,
    `<p style="margin:24px 0 0;font-size:13px;color:#5b6675">${escapeHtml(footer)}</p></div></body></html>`,
  ].join('')
  return { text: `${text}\n\n-- \n${footer}\n`, html }
}

function renderParagraph(paragraph: string, code: string | null): string {
  if (code !== null && paragraph.trim() === code) return `<p style="${CODE}">${escapeHtml(code)}</p>`
  const content = escapeHtml(paragraph)
  if (/^https?:\/\/\S+$/.test(paragraph)) return `<p><a href="${content}">${content}</a></p>`
  return `<p>${content.replaceAll('\n', '<br>')}</p>`
}
