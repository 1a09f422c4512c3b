/** A page of a list, or with a body an impact preview. */
export type ListRequest = { path: string; query: Record<string, string>; body?: object }

export type Question = { name: string /** p95 in milliseconds. */; budget: number; ask: ListRequest[] }
