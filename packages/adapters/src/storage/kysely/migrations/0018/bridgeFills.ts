/** Table of the durations of the latest cross-chain transfers, by pair of chains. Times are in Unix milliseconds. */
export const bridgeFills = {
  tables: {
    bridge_fills: {
      from_chain: "integer not null",
      to_chain: "integer not null",
      transfer_id: "text not null",
      seconds: "integer not null",
      said_seconds: "integer not null",
      filled_at: "integer not null",
      "primary key": "(from_chain, to_chain, transfer_id)"
    }
  },
  indices: ["create index bridge_fills_latest on bridge_fills (from_chain, to_chain, filled_at)"]
} as const
