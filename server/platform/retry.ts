const MAX_ATTEMPTS = 3

/**
 * Takes a step again, up to three times in all, when somebody else changed what it was based on.
 * @param Outdated the class of the error that says so
 * @throws the last such error, and any other at once
 */
export async function retryOn<T>(Outdated: new (message?: string) => Error, step: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await step()
    } catch (error) {
      if (!(error instanceof Outdated) || attempt === MAX_ATTEMPTS) throw error
    }
  }
}
