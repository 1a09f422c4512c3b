declare module '*.json?own' {
  export const messages: Record<string, string>
}
declare module '*.json?office' {
  export const messages: Record<string, string>
}
declare module '*.json?integrations' {
  export const messages: Record<string, string>
}
declare module '*.json?rest' {
  export const messages: Record<string, string>
}
