import { Schema } from "effect"

/** The creation, verification or restore of a backup failed. */
export class BackupFailed extends Schema.TaggedError<BackupFailed>("adapters/backup/BackupFailed")("BACKUP_FAILED", {
  /** Complete sentences: what happened and what to do. */
  reason: Schema.String
}) {
  override get message(): string {
    return this.reason
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EACCES: "the user of this process has no permission",
  EROFS: "the file system is read-only",
  ENOENT: "it does not exist"
}

/** Describes a failure of the operating system or of a program. */
export const reasonOf = (thrown: unknown): string => {
  const { code, message } = Object((thrown as { cause?: unknown } | null)?.cause ?? thrown)
  return reasons[String(code)] ?? String(message ?? thrown)
}
