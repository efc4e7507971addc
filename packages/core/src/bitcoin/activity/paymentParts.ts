import type { Movement } from "../../accounting/history/index.ts"
import type { BitcoinAddress, HexBytes } from "../../foundation/primitives/index.ts"
import { type BitcoinTransaction, bitcoinToken, sumOf } from "../chain/index.ts"

/** The movements of an address in a transaction. */
export interface AddressMovements {
  readonly type: "CRYPTO_DEPOSIT" | "CRYPTO_WITHDRAW"
  readonly movements: ReadonlyArray<Movement>
}

export interface AddressScope {
  readonly address: BitcoinAddress
  readonly script: HexBytes
  readonly addressOf: (script: HexBytes) => BitcoinAddress | null
  /** Returns the value of an amount in US dollars. Null if unknown. */
  readonly usdOf: (amount: bigint) => string | null
}

/**
 * Returns the address of the only payer. Null if there are several payers, if the script has no address, and for a
 * coinbase transaction.
 */
const payerOf = ({ inputs, isCoinbase }: BitcoinTransaction, addressOf: AddressScope["addressOf"]): string | null => {
  const scripts = new Set(inputs.map(({ script }) => script))
  const [first] = scripts
  return isCoinbase || first === undefined || scripts.size > 1 ? null : addressOf(first)
}

/** Returns the movements of an address in a transaction. Null if its balance does not change. */
export const addressMovementsOf = (
  transaction: BitcoinTransaction,
  { address, addressOf, script, usdOf: usd }: AddressScope
): AddressMovements | null => {
  const isOwn = (output: { readonly script: HexBytes }): boolean => output.script === script
  const { fee, inputs, outputs } = transaction
  const spentOutputs = inputs.filter(isOwn)
  const net = sumOf(outputs.filter(isOwn)) - sumOf(spentOutputs)
  const movement = (
    fields: Pick<Movement, "amount" | "counterparty" | "direction"> & Partial<Pick<Movement, "role">>
  ): Movement => ({
    role: "PRINCIPAL",
    account: address,
    asset: { chainId: bitcoinToken.chainId, token: bitcoinToken.address },
    usd: usd(fields.amount),
    leg: 0,
    ...fields
  })
  if (spentOutputs.length === 0 || net > 0n) {
    const counterparty = spentOutputs.length === 0 ? payerOf(transaction, addressOf) : null
    return net === 0n
      ? null
      : { type: "CRYPTO_DEPOSIT", movements: [movement({ direction: "IN", amount: net, counterparty })] }
  }
  // With inputs of several owners, the outputs and the fee can't be assigned to payers.
  if (spentOutputs.length < inputs.length) {
    const movements = [movement({ direction: "OUT", amount: -net, counterparty: null })]
    return net === 0n ? null : { type: "CRYPTO_WITHDRAW", movements }
  }
  const paidOutputs = outputs.filter((output) => !isOwn(output) && output.value > 0n)
  const groups = Map.groupBy(paidOutputs, (output) => addressOf(output.script))
  const payments = Array.from(groups, ([counterparty, group]) =>
    movement({ direction: "OUT", amount: sumOf(group), counterparty })
  )
  const gas = movement({ direction: "OUT", role: "GAS", amount: fee, counterparty: null })
  return { type: "CRYPTO_WITHDRAW", movements: [...payments, gas] }
}

/** Returns the amount that determines the required confirmations, without the miner fee. */
export const amountOf = ({ movements }: AddressMovements): bigint =>
  movements.reduce((sum, { amount, role }) => (role === "GAS" ? sum : sum + amount), 0n)
