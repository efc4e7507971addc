export { NumberText, parseExactJson, scaledE18RoundingDown } from "./exactJson.ts"
export { exchangeText, getText, tooLong } from "./getText.ts"
export { makeHostCircuit, recordIn } from "./hostCircuit.ts"
export { jsonOrNull } from "./jsonOrNull.ts"
