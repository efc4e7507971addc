export { InvalidSignature, type SignatureProblem, SigningMistake } from "./InvalidSignature.ts"
export { Authorization, Signatures, SignData, signatureOf, TypedData } from "./SignData.ts"
