import type { PagedChange } from "../Migration.ts"

const DETECTED_TYPES = "('CRYPTO_DEPOSIT', 'CRYPTO_WITHDRAW')"

/**
 * Counts the movements that are equal to a movement `m` and belong to other transactions with the same on-chain
 * transaction. Operations record the counterparty as a protocol, as a bank, or as the account that the watcher
 * detected. A movement with another account as counterparty is a separate payment of the same amount. SQLite reads the
 * tables of a cross join in the given order, and the concatenation with an empty text prevents the use of the index of
 * accounts.
 */
const RECORDED = `select count(*)
  from transaction_legs own cross join transaction_legs other cross join movements o
  where own.project_id = transactions.project_id and own.transaction_id = transactions.id
    and other.project_id = own.project_id and other.hash = own.hash
    and other.chain_id = own.chain_id and other.transaction_id <> own.transaction_id
    and o.project_id = other.project_id and o.transaction_id = other.transaction_id and o.leg = other.position
    and o.type not in ${DETECTED_TYPES}
    and o.direction = m.direction and o.account || '' = m.account and o.chain_id = m.chain_id and o.asset = m.asset
    and o.amount = m.amount and (o.counterparty is null or o.counterparty not like '0x%' or o.counterparty = m.counterparty)`

/**
 * Removes detected deposits and withdrawals if an operation or a fiat order has also recorded all of their movements.
 */
export const recordedTwice: PagedChange = {
  countLabel: "deposits and withdrawals that were recorded twice, removed",
  statement: (
    _dialect,
    page
  ) => `delete from transactions where (project_id, id) in (${page}) and type in ${DETECTED_TYPES}
    and exists (select 1 from movements m where m.project_id = transactions.project_id and m.transaction_id = transactions.id)
    and not exists (
      select 1 from movements m where m.project_id = transactions.project_id and m.transaction_id = transactions.id
      group by m.direction, m.account, m.chain_id, m.asset, m.amount, m.counterparty
      having count(*) > (${RECORDED}))`
}
