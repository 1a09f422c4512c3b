let handler = (): void => {}

export const setStaySignedInHandler = (next: () => void): void => {
  handler = next
}

/** Calls the handler of "Stay signed in". */
export const staySignedIn = (): void => handler()
