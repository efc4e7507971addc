import { Schema } from "effect"

/** A backup that was not made, is not whole, or was not restored. */
export class BackupFailed extends Schema.TaggedError<BackupFailed>("adapters/backup/BackupFailed")("BACKUP_FAILED", {
  /** What happened and what to do, in sentences. */
  reason: Schema.String
}) {
  override get message(): string {
    return this.reason
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EACCES: "the user of this process has no right to it",
  EROFS: "the file system is read-only",
  ENOENT: "it is not there"
}

/** A failure of the operating system or of a program, in words. */
export const reasonOf = (thrown: unknown): string => {
  const { code, message } = Object((thrown as { cause?: unknown } | null)?.cause ?? thrown)
  return reasons[String(code)] ?? String(message ?? thrown)
}
