/**
 * Tables of keys that a purge moves out of `subject_keys` and back, and of erasures whose keys are not purged from the
 * database files yet.
 */
export const keyPurges = {
  tables: {
    moved_subject_keys: {
      id: "text primary key",
      secrets: "text not null"
    },
    pending_key_purges: {
      id: "integer primary key",
      erasures: "integer not null",
      /** Number of erasures that happened before the latest pass over all keys started. */
      covered: "integer not null",
      /** Direction in which the pass moves keys: OUT of `subject_keys`, BACK to it, or NONE. */
      pass: "text not null"
    }
  },
  indices: []
} as const
