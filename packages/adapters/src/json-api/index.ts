export { NumberText, parseExactJson, scaledE18RoundingDown } from "./exactJson.ts"
export { getText, tooLong } from "./getText.ts"
export { makeHostCircuit, recordIn } from "./hostCircuit.ts"
