/** Table of links between individuals and customers of fiat providers, which operators created. */
export const providerCustomers = {
  tables: {
    provider_customers: {
      project_id: "text not null",
      individual_id: "text not null",
      provider: "text not null",
      customer: "text not null",
      "primary key": "(project_id, individual_id, provider)"
    }
  },
  indices: ["create unique index provider_customers_one on provider_customers (project_id, provider, customer)"]
} as const
