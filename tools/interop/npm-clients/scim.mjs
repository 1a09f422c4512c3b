export { scimPatch } from 'scim-patch'
export { filter, parse } from 'scim2-parse-filter'
export { default as SCIMMY } from 'scimmy'
