let stay = (): void => {}

export const setStay = (next: () => void): void => {
  stay = next
}

/** "Stay signed in". */
export const staySignedIn = (): void => stay()
