/** Tables of past prices and exchange rates, each as it was first fetched. */
export const pastPrices = {
  tables: {
    past_prices: {
      chain_id: "integer not null",
      address: "text not null",
      /** Hours since 1970-01-01 (UTC). */
      hour: "integer not null",
      /** US dollars per token, scaled by 10^18, as decimal digits. */
      usd_e18: "text not null",
      /** Time to which the source's value refers. */
      figure_at: "integer not null",
      source: "text not null",
      "primary key": "(chain_id, address, hour)"
    },
    past_rates: {
      /** Start of the day in UTC. */
      day_at: "integer primary key",
      /** JSON: units of each currency per US dollar, scaled by 10^18. */
      per_usd_e18: "text not null",
      figure_at: "integer not null",
      source: "text not null"
    }
  },
  indices: []
} as const
