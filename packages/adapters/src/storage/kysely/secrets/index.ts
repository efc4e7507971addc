export {
  secretsEncryptionContext,
  subjectKeyEncryptionContext
} from "./encryptionContext.ts"
export { resealSecrets } from "./resealSecrets.ts"
export {
  openText,
  type SecretKey,
  SecretKeyMissing,
  SecretKeyNotSet,
  SecretKeys,
  sealingKeyId,
  sealText,
  secretKeyOf,
  secretKeysOrNull
} from "./sealing.ts"
