export { NumberText, parseExactJson, SecondsText, scaledE18RoundingDown, Uint256Text } from "./exactJson.ts"
export {
  decodeJson,
  exactJsonIn,
  type HttpAnswer,
  type HttpHost,
  type HttpRequest,
  httpHost,
  unexpectedStatus
} from "./httpHost.ts"
export { jsonOrNull } from "./jsonOrNull.ts"
export type { PaceLimit } from "./Pace.ts"
