export { mountSecurityQuestions } from './security-questions.routes.ts'
export { hashAnswers, listQuestions, saveAnswers, verifyAnswers } from './security-questions.service.ts'
export { type AnswerRow, deleteAnswers, hasAnswers, insertAnswers } from './security-questions.store.ts'
