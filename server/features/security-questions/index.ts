export { mountSecurityQuestions } from './security-questions.routes.ts'
export { checkAnswers, hashAnswers, questionsOf, saveAnswers } from './security-questions.service.ts'
export { type AnswerRow, hasAnswers } from './security-questions.store.ts'
