/** For the greeting. */
export const partOfDay = (hour: number = new Date().getHours()): 'morning' | 'afternoon' | 'evening' =>
  hour < 5 || hour >= 18 ? 'evening' : hour < 12 ? 'morning' : 'afternoon'
