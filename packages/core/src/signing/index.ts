export { Authorization, Signatures, SignData, signatureOf, TypedData } from "./SignData.ts"
