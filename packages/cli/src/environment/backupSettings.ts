import { backupTargetOrNull } from "@countersign/adapters/service/composition"
import { requireSetting, SettingInvalid } from "@countersign/adapters/service/settings"
import { Effect } from "effect"

export const backupTarget = Effect.gen(function* () {
  const target = yield* backupTargetOrNull
  return (
    target ?? (yield* new SettingInvalid({ name: "BACKUP_TARGET", expected: "set, and it is the target of backups" }))
  )
})

export const backupRecipient = requireSetting(
  "BACKUP_RECIPIENT",
  "and the backup is encrypted with it. `countersign backup key` generates a key pair"
)

export const backupIdentity = requireSetting(
  "BACKUP_IDENTITY",
  "and it decrypts the backup. It belongs to BACKUP_RECIPIENT"
)
