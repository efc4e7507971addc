/** Table of unknown orders in authentic webhooks of providers. */
export const fiatUnknownOrders = {
  tables: {
    fiat_unknown_orders: {
      provider: "text not null",
      provider_order: "text not null",
      times: "integer not null",
      first_at: "integer not null",
      last_at: "integer not null",
      "primary key": "(provider, provider_order)"
    }
  },
  indices: ["create index fiat_unknown_orders_last on fiat_unknown_orders (last_at)"]
} as const
