import { hash } from '@node-rs/argon2'
import type { TestProject } from 'vitest/node'
import { PASSWORD } from './password.ts'
import { openTemplateDatabase } from './template-database.ts'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { adminUrl, template, drop } = await openTemplateDatabase()
  project.provide('adminUrl', adminUrl)
  project.provide('templateDatabase', template)
  project.provide('passwordHash', await hash(PASSWORD, project.getProvidedContext().passwordHashCost))
  return drop
}
