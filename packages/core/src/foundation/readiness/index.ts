export { DatabaseProbe, DatabaseUnusable } from "./DatabaseProbe.ts"
