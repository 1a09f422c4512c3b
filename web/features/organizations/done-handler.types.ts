export type DoneHandler = (text: string, focus?: string, undo?: () => Promise<unknown>) => void
