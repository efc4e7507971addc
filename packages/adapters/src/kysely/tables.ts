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
    deleted_at: number | null
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
    /** A smart account; the JSON text `null` where the address is one of Bitcoin. */
    account: string
    metadata: string
    registered_at: number
    last_transaction_at: number | null
  }
  readonly wallet_deployments: {
    address: string
    chain_id: number
  }
  readonly quotes: {
    project_id: string
    id: string
    wallet_address: string
    kind: string
    /** The whole quote: written once. */
    record: string
    created_at: number
    expires_at: number
    accepted_at: number | null
  }
  /** The user operations that a quote consists of. */
  readonly quote_operations: {
    project_id: string
    hash: string
    quote_id: string
  }
  readonly executions: {
    id: string
    project_id: string
    quote_id: string
    /** The name of the stage that it is in. */
    stage: string
    /** The whole execution. */
    record: string
    /** One more with each move. */
    version: number
    accepted_at: number
    /**
     * The wallet and the chain of what it reserves, and the block that has its operations, 2^53 - 1 while none has. Null
     * where it reserves nothing.
     */
    wallet_address: string | null
    chain_id: number | null
    reserved_until: number | null
    /** Null once it has ended. */
    due_at: number | null
    claimed_by: string | null
    claimed_until: number | null
    ended_at: number | null
  }
  readonly transactions: {
    project_id: string
    id: string
    wallet_address: string
    type: string
    status: string
    /** Null where that end is on no chain. */
    chain_id_in: number | null
    chain_id_out: number | null
    user_operation_hash: string | null
    subject: string | null
    created_at: number
    /** The whole transaction; the columns above repeat what is filtered and ordered by. */
    record: string
  }
  /** The transactions of chains by which a transaction is found: its legs that have a hash. */
  readonly transaction_legs: {
    project_id: string
    transaction_id: string
    position: number
    chain_id: number
    hash: string
  }
  readonly transaction_metadata: {
    project_id: string
    transaction_id: string
    /** Digest of a key and its value: a value of 4096 characters is more than Postgres can index. */
    entry: string
  }
  readonly event_sequences: {
    project_id: string
    resource: string
    last: number
  }
  readonly events: {
    id: string
    project_id: string
    type: string
    resource_kind: string
    resource_id: string
    sequence: number
    at: number
    previous_status: string | null
    snapshot: string
    /** What is sent, from the first attempt on. */
    body: string | null
  }
  readonly webhook_endpoints: {
    id: string
    project_id: string
    url: string
    description: string
    event_types: string | null
    /** As they are, because deliveries are signed with them. */
    secrets: string
    created_at: number
    disabled_at: number | null
    disabled_reason: string | null
    failing_since: number | null
  }
  readonly webhook_deliveries: {
    id: string
    project_id: string
    endpoint_id: string
    event_id: string
    event_type: string
    resource: string
    sequence: number
    status: string
    attempts: number
    /** Null unless it is pending and the first of its resource in the line to its endpoint. */
    due_at: number | null
    claimed_by: string | null
    claimed_until: number | null
    last_status: number | null
    last_error: string | null
    created_at: number
    delivered_at: number | null
    log: string
  }
  /** Who may send and who watches the transactions of an operator key on a chain. */
  readonly operator_lanes: {
    chain_id: number
    operator: string
    role: string
    claimed_by: string | null
    claimed_until: number | null
  }
  readonly operator_transactions: {
    chain_id: number
    operator: string
    nonce: number
    hash: string
    raw: string
    /** Wei, in decimal digits. */
    max_fee_per_gas: string
    max_priority_fee_per_gas: string
    /** JSON texts: lists of hashes. */
    replaced: string
    operations: string
    state: string
    block: number
    sent_at: number
    watched: number
  }
  /** By which operation a transaction is found. */
  readonly operator_transaction_operations: {
    chain_id: number
    operation_hash: string
    operator: string
    nonce: number
  }
  readonly schema_migrations: {
    name: string
    applied_at: number
  }
  readonly rate_counts: {
    key_id: string
    window_start: number
    requests: number
  }
  readonly watched_loans: {
    chain_id: number
    wallet_address: string
    project_id: string
    look_at: number
    was_free: number
  }
  readonly loan_cursors: {
    chain_id: number
    block_number: number
  }
  readonly liquidations: {
    chain_id: number
    transaction_hash: string
    log_index: number
    project_id: string
    transaction_id: string
    block_number: number
    block_hash: string
  }
  /** Unpaid gas. */
  readonly losses: {
    project_id: string
    /** Its cause, and the operation that it is of. */
    id: string
    wallet_address: string
    owner: string
    chain_id: number
    /** Its wei in two parts, so that a database can add it up exactly: whole gwei and the rest. */
    gwei: number
    rest_wei: number
    /** Millionths of a US dollar; null where the price was unknown. */
    usd_e6: number | null
    cause: string
    user_operation_hash: string | null
    at: number
    forgiven_at: number | null
    /** When an operation of the wallet or the owner was last accepted in spite of it, and which. */
    turn_at: number | null
    turn_of: string | null
  }
  /** Pools whose events are counted. */
  readonly indexed_pools: {
    chain_id: number
    address: string
    token0: string
    token1: string
    fee_pips: number
    asked_at: number
    due_at: number
    claimed_until: number | null
    version: number
    /** JSON text; null before the first step. */
    progress: string | null
  }
  /** Sums of an hour of a pool, in base units as decimal digits. */
  readonly pool_hours: {
    chain_id: number
    address: string
    hour: number
    /** 1 for blocks that may still change, 0 for those that count for good. */
    recent: number
    transactions: number
    volume0: string
    volume1: string
    fees0: string
    fees1: string
  }
  readonly idempotent_requests: {
    project_id: string
    idempotency_key: string
    fingerprint: string
    answer: string | null
    scope: string | null
    locked_until: number
    created_at: number
  }
}
