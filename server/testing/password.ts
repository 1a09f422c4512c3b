/** The password of everyone that `addPerson` makes without one. */
export const PASSWORD = 'Correct-horse-9'
