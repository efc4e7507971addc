export { type ErrorEntry, type ErrorId, errorTable } from "./errorTable.ts"
