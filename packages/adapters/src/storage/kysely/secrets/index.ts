export { placeOfSecrets, placeOfSubjectKey } from "./placeOfSecrets.ts"
export { resealSecrets } from "./resealSecrets.ts"
export {
  opened,
  type SecretKey,
  SecretKeyMissing,
  SecretKeyNotSet,
  SecretKeys,
  sealed,
  secretKeyOf,
  secretKeysOrNull
} from "./sealing.ts"
