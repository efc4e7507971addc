/**
 * The rows. Both engines give the same JavaScript types: instants are epoch milliseconds, flags are 0 or 1, and what
 * needs more than 53 bits or has a shape of its own is JSON text.
 */
export interface Tables {
  readonly projects: {
    id: string
    organization_id: string
    name: string
    treasury: string | null
    compute_units: number | null
    created_at: number
  }
  readonly api_keys: {
    id: string
    project_id: string
    name: string
    environment: string
    hash: string
    scopes: string
    created_at: number
    expires_at: number | null
    revoked_at: number | null
    last_used_at: number | null
  }
  readonly wallets: {
    project_id: string
    address: string
    account: string
    metadata: string
    registered_at: number
    last_transaction_at: number | null
  }
  readonly wallet_deployments: {
    address: string
    chain_id: number
  }
  readonly user_operations: {
    hash: string
    project_id: string
    wallet_address: string
    /** The record without its submission: written once. */
    record: string
    submission: string | null
    submitted_at: number | null
    /** Null unless the operation is submitted and unsettled. */
    due_at: number | null
    claimed_by: string | null
    claimed_until: number | null
    settled_at: number | null
  }
  readonly transactions: {
    project_id: string
    id: string
    wallet_address: string
    type: string
    status: string
    chain_id_in: number
    chain_id_out: number
    user_operation_hash: string | null
    transaction_hash: string | null
    nft_number: string | null
    created_at: number
    /** The whole transaction; the columns above repeat what is filtered and ordered by. */
    record: string
  }
  readonly transaction_metadata: {
    project_id: string
    transaction_id: string
    /** Digest of a key and its value: a value of 4096 characters is more than Postgres can index. */
    entry: string
  }
  readonly schema_migrations: {
    name: string
    applied_at: number
  }
}
