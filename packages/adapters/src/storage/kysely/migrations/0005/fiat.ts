/** Tables of fiat quotes and orders. */
export const fiat = {
  tables: {
    fiat_quotes: {
      id: "text primary key",
      project_id: "text not null",
      record: "text not null",
      expires_at: "integer not null"
    },
    fiat_orders: {
      id: "text primary key",
      project_id: "text not null",
      quote_id: "text not null",
      executed_quote: "text not null",
      individual_id: "text not null",
      wallet_address: "text not null",
      direction: "text not null",
      method: "text not null",
      state: "text not null",
      /** In minor units of the currency, as text. */
      amount: "text not null",
      provider: "text not null",
      provider_order: "text",
      record: "text not null",
      created_at: "integer not null",
      expires_at: "integer not null",
      version: "integer not null"
    }
  },
  indices: [
    "create unique index fiat_orders_quote on fiat_orders (quote_id)",
    "create index fiat_orders_executed on fiat_orders (project_id, executed_quote)",
    "create index fiat_orders_provider on fiat_orders (provider, provider_order)",
    "create index fiat_orders_wallet on fiat_orders (project_id, wallet_address, created_at)",
    "create index fiat_orders_limits on fiat_orders (project_id, individual_id, direction, method, created_at)",
    "create index fiat_orders_state on fiat_orders (direction, state, created_at)",
    "create index fiat_orders_unsigned on fiat_orders (expires_at) where direction = 'WITHDRAWAL' and state = 'AWAITING_FUNDS'"
  ]
} as const
