declare module 'virtual:tokens.css'
declare module 'virtual:reading.css'
