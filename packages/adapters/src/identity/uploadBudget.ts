import { UploadInProgress, UploadsOverloaded } from "./documentErrors.ts"

const MIB = 1_048_576

/** Limits for the disk space of uploads in progress. */
export interface UploadLimits {
  readonly projectBytes: number
  readonly processBytes: number
  /** Free disk space that must remain after an upload of the largest document, in bytes. */
  readonly freeBytes: number
}

export const uploadLimits: UploadLimits = { projectBytes: 256 * MIB, processBytes: 1_024 * MIB, freeBytes: 256 * MIB }

const RETRY_AFTER_SECONDS = 5

/** An upload in progress. */
export interface PendingUpload {
  readonly _tag: "Pending"
  /** Counts more bytes. Returns the reason if they are rejected; null otherwise. */
  readonly grow: (bytes: number) => UploadsOverloaded | null
  readonly end: () => void
}

/**
 * Counts the uploads in progress of this process. Allows one per document, and limits the bytes per project and in
 * total.
 */
export const uploadBudget = ({ processBytes, projectBytes }: UploadLimits) => {
  const keys = new Set<string>()
  const bytesByProject = new Map<string, number>()
  let totalBytes = 0

  const add = (projectId: string, bytes: number): void => {
    const projectBytes = (bytesByProject.get(projectId) ?? 0) + bytes
    totalBytes += bytes
    if (projectBytes === 0) bytesByProject.delete(projectId)
    else bytesByProject.set(projectId, projectBytes)
  }

  const overloaded = (owner: string) =>
    new UploadsOverloaded({
      reason: `the uploads of ${owner} that are in progress have reached their size limit`,
      retryAfterSeconds: RETRY_AFTER_SECONDS
    })

  return {
    begin: ({
      key,
      projectId
    }: {
      readonly key: string
      readonly projectId: string
    }): PendingUpload | UploadInProgress => {
      if (keys.has(key)) return new UploadInProgress()
      keys.add(key)
      let heldBytes = 0
      return {
        _tag: "Pending",
        grow: (bytes) => {
          if ((bytesByProject.get(projectId) ?? 0) + bytes > projectBytes) return overloaded("this project")
          if (totalBytes + bytes > processBytes) return overloaded("this process")
          heldBytes += bytes
          add(projectId, bytes)
          return null
        },
        end: () => {
          keys.delete(key)
          add(projectId, -heldBytes)
        }
      }
    }
  }
}
