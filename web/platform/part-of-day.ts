/** What a greeting goes by. */
export const partOfDay = (hour: number = new Date().getHours()): 'morning' | 'afternoon' | 'evening' =>
  hour < 5 || hour >= 18 ? 'evening' : hour < 12 ? 'morning' : 'afternoon'
