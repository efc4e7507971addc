/**
 * Table of registrations of verified identities with fiat providers. `sealed` contains the submitted data, encrypted
 * with the identity's key.
 */
export const providerRegistrations = {
  tables: {
    provider_registrations: {
      project_id: "text not null",
      identity_id: "text not null",
      provider: "text not null",
      session_id: "text not null",
      status: "text not null",
      reason: "text",
      fields: "text not null",
      attempt: "integer not null",
      sealed: "text",
      /** Time of the next check in Unix milliseconds; null to wait for the provider's webhook. */
      check_at: "integer",
      /** End of the lease of a check in Unix milliseconds; null if no check is in progress. */
      leased_until: "integer",
      created_at: "integer not null",
      updated_at: "integer not null",
      "primary key": "(project_id, identity_id, provider)"
    }
  },
  indices: [
    "create index provider_registrations_checks on provider_registrations (check_at) where check_at is not null",
    "create index provider_registrations_status on provider_registrations (status, provider)"
  ]
} as const
