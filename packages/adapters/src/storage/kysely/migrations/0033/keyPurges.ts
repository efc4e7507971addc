/** Keys that a purge moves out of `subject_keys` and back, and erasures whose keys are not purged from the database's files yet. */
export const keyPurges = {
  tables: {
    moved_subject_keys: {
      id: "text primary key",
      secrets: "text not null"
    },
    pending_key_purges: {
      id: "integer primary key",
      erasures: "integer not null",
      /** The erasures before the latest pass of all keys began. */
      covered: "integer not null",
      /** Where the pass moves keys: OUT of `subject_keys`, BACK to it, or NONE. */
      pass: "text not null"
    }
  },
  indices: []
} as const
