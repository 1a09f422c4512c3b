let handler = (): void => {}

export const setStaySignedInHandler = (next: () => void): void => {
  handler = next
}

/** "Stay signed in". */
export const staySignedIn = (): void => handler()
