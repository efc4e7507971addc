export { Authorization, SignData, TypedData } from "./SignData.ts"
