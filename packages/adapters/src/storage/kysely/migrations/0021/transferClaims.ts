/** Table that records which operation of a project claims which on-chain transfer. */
export const transferClaims = {
  tables: {
    transfer_claims: {
      project_id: "text not null",
      chain_id: "integer not null",
      hash: "text not null",
      account: "text not null",
      /**
       * Index in the receipt's logs or the transaction's outputs; -1 or lower for a transfer of an EVM chain's native
       * token.
       */
      transfer_index: "integer not null",
      transaction_id: "text not null",
      "primary key": "(project_id, chain_id, hash, account, transfer_index)"
    }
  },
  indices: []
} as const
