export {
  secretsEncryptionContext,
  subjectKeyEncryptionContext
} from "./encryptionContext.ts"
export { resealSecrets } from "./resealSecrets.ts"
export {
  opened,
  type SecretKey,
  SecretKeyMissing,
  SecretKeyNotSet,
  SecretKeys,
  sealed,
  sealingKeyId,
  secretKeyOf,
  secretKeysOrNull
} from "./sealing.ts"
