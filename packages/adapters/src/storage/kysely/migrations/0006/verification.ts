/**
 * Tables of identity verification sessions. Personal data are encrypted with keys of the identities, which are
 * encrypted with the operator's key.
 */
export const verification = {
  tables: {
    verification_identities: {
      project_id: "text not null",
      fingerprint: "text not null",
      identity_id: "text not null",
      "primary key": "(project_id, fingerprint)"
    },
    verification_sessions: {
      id: "text primary key",
      project_id: "text not null",
      kind: "text not null",
      identity_id: "text not null",
      status: "text not null",
      country: "text not null",
      owner_ids: "text not null",
      documents: "text not null",
      reason: "text",
      metadata: "text not null",
      created_at: "integer not null",
      updated_at: "integer not null",
      expires_at: "integer not null",
      sealed: "text not null"
    },
    subject_keys: {
      id: "text primary key",
      secrets: "text not null"
    }
  },
  indices: [
    "create index verification_sessions_of_project on verification_sessions (project_id, created_at)",
    "create index verification_sessions_of_identity on verification_sessions (project_id, identity_id, created_at)",
    "create index verification_sessions_due on verification_sessions (status, expires_at)"
  ]
} as const
