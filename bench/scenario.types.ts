import type { Pool } from 'undici'
import type { Site } from './site.ts'

export type Scenario = {
  name: string
  /** The CPU budget of an operation in milliseconds; null: only reported. */
  budgetMs: number | null
  /** The floor for the same work, by name. */
  floor?: string
  /** Creates the operation that the workers repeat; preparation is not measured. */
  prepare(site: Site, pool: Pool, concurrency: number): Promise<(worker: number) => Promise<void>>
}
