import type { BackupTarget } from "./BackupTarget.ts"
import type { BackupTargetSettings } from "./BackupTargetSettings.ts"
import { folderTarget } from "./folderTarget.ts"
import { s3Target } from "./s3Target.ts"

export const backupTargetOf = (settings: BackupTargetSettings): BackupTarget =>
  settings._tag === "Folder" ? folderTarget(settings.folder) : s3Target(settings)
