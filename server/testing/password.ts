/** The default password of people created by `addPerson`. */
export const PASSWORD = 'Correct-horse-9'
