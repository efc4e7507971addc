import { backupTargetOrNull } from "@countersign/adapters/service/composition"
import { requireSetting, SettingInvalid } from "@countersign/adapters/service/settings"
import { Effect } from "effect"

export const backupTarget = Effect.gen(function* () {
  const target = yield* backupTargetOrNull
  return target ?? (yield* new SettingInvalid({ name: "BACKUP_TARGET", expected: "set, and backups need this target" }))
})

export const backupRecipient = requireSetting(
  "BACKUP_RECIPIENT",
  "and it is the key that encrypts the backup. `countersign backup key` generates a key pair"
)

export const backupIdentity = requireSetting(
  "BACKUP_IDENTITY",
  "and it is the key that decrypts the backup. It belongs to BACKUP_RECIPIENT"
)
