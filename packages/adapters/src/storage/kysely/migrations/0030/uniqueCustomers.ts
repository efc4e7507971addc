/**
 * Ensures that a provider's customer belongs to only one individual of one project. Of several links, keeps the first
 * one by project and individual.
 */
export const uniqueCustomers: ReadonlyArray<string> = [
  "drop index provider_customers_one",
  // Without this index the delete compares each link with all others.
  "create index provider_customers_links on provider_customers (provider, customer)",
  `delete from provider_customers where exists (
    select 1 from provider_customers earlier
    where earlier.provider = provider_customers.provider and earlier.customer = provider_customers.customer
      and (earlier.project_id, earlier.individual_id) < (provider_customers.project_id, provider_customers.individual_id))`,
  "drop index provider_customers_links",
  "create unique index provider_customers_one on provider_customers (provider, customer)"
]
