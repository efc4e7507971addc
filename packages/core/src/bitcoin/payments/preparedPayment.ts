import type { Movement } from "../../accounting/history/index.ts"
import type { Fee } from "../../foundation/fees/index.ts"
import { type BitcoinAddress, type HexBytes, percentText } from "../../foundation/primitives/index.ts"
import type { QuotedPrices } from "../../foundation/tokens/index.ts"
import type { BitcoinTransactionIntent } from "../../operations/intents/index.ts"
import { type ExpectedMovement, expectedMovements } from "../../operations/quotes/index.ts"
import type { BitcoinTransactions, CoinSelection, SigningKey } from "../chain/index.ts"
import { bitcoinToken, type FeeRate, type Output, virtualBytes } from "../chain/index.ts"
import type { BitcoinPreview } from "./BitcoinPaymentContent.ts"
import type { DeductedFee } from "./paymentOutputs.ts"
import type { PayableUtxo } from "./walletUtxos.ts"

export type PreviewOutput = BitcoinPreview["outputs"][number]

/** The UTXOs and outputs of a payment. If there is change, the last output pays it to the wallet's script. */
export interface PaymentTransaction {
  readonly script: HexBytes
  /** Null if the key is unknown. Signers must then recognize their inputs without it. */
  readonly key: SigningKey | null
  readonly selection: CoinSelection<PayableUtxo>
  /** The sequence numbers of the inputs, in order. If absent, the inputs signal replaceability (BIP-125). */
  readonly sequences?: ReadonlyArray<number>
  /** The lock time, as a block height. If absent, any block may include the transaction. */
  readonly lockTime?: number
  /** Unix milliseconds at which the receiver's address expires. If absent, it does not expire. */
  readonly broadcastUntilMs?: number
}

/** A payment whose UTXOs and outputs are selected. */
export interface DecidedPayment extends PaymentTransaction {
  readonly walletAddress: BitcoinAddress
  /** The address and role of each output of the selection. */
  readonly named: ReadonlyArray<Pick<PreviewOutput, "address" | "role">>
  readonly feeRate: FeeRate
}

const outputsOf = ({ named, script, selection, walletAddress }: DecidedPayment) => {
  const namedOutputs = selection.outputs.map(({ script: to, value }, at) => ({ script: to, value, ...named[at]! }))
  return selection.change === 0n
    ? namedOutputs
    : [...namedOutputs, { script, value: selection.change, address: walletAddress, role: "CHANGE" as const }]
}

const allOutputs = ({ script, selection: { change, outputs } }: PaymentTransaction): ReadonlyArray<Output> =>
  change === 0n ? outputs : [...outputs, { script, value: change }]

/**
 * Builds the intent that the owner signs. `previousTransactions` contains the complete previous transactions, for signers that
 * require them.
 */
export const intentOf = (
  transactions: BitcoinTransactions["Service"],
  payment: PaymentTransaction,
  previousTransactions: ReadonlyMap<string, HexBytes>
): BitcoinTransactionIntent => {
  const outputs = allOutputs(payment)
  const { broadcastUntilMs, lockTime = 0 } = payment
  const inputs = payment.selection.utxos.map(({ script, txid, value, vout }) => ({ txid, vout, script, value }))
  const { psbt, txid } = transactions.buildPsbt({
    inputs: inputs.map((input, at) => {
      const transaction = previousTransactions.get(input.txid)
      const sequence = payment.sequences?.[at]
      return {
        ...input,
        ...(transaction === undefined ? {} : { transaction }),
        ...(sequence === undefined ? {} : { sequence })
      }
    }),
    outputs,
    lockTime,
    key: payment.key
  })
  return {
    type: "BITCOIN_TRANSACTION",
    txid,
    psbt,
    terms: {
      inputs,
      outputs,
      maxWeight: payment.selection.weight,
      ...(broadcastUntilMs === undefined ? {} : { broadcastUntilMs })
    },
    signData: [{ type: "BITCOIN_TRANSACTION", method: "sign_psbt", hash: txid, psbt }]
  }
}

export const previewOf = (payment: DecidedPayment): BitcoinPreview => {
  const { change, utxos, fee, weight } = payment.selection
  return {
    inputs: utxos.map(({ txid, value, vout }) => ({ txid, vout, value })),
    outputs: outputsOf(payment).map(({ address, role, value }) => ({ address, role, value })),
    change,
    fee,
    feeRate: payment.feeRate,
    virtualSize: virtualBytes(weight)
  }
}

const feeTypes = { EXTRA_FEE: "EXTRA", SERVICE_FEE: "SERVICE" } as const

/** Returns the miner fee, and the fees that are deducted from the amount. */
export const feesOf = ({ fee, outputs }: BitcoinPreview, shares: ReadonlyArray<DeductedFee>): ReadonlyArray<Fee> => {
  const bitcoinAsset = { chainId: 0 as const, token: bitcoinToken.address }
  return [
    { type: "NETWORK", ...bitcoinAsset, amount: fee, toAddress: null, percentage: null },
    ...outputs.flatMap(({ address, role, value }): ReadonlyArray<Fee> => {
      if (role === "RECEIVER" || role === "CHANGE") return []
      const percentage = shares.find((share) => share.role === role)?.percentage
      return [
        {
          type: feeTypes[role],
          ...bitcoinAsset,
          amount: value,
          toAddress: address,
          percentage: percentage === undefined ? null : percentText(percentage)
        }
      ]
    })
  ]
}

/** Returns the expected movements, receivers first. Payments to the wallet itself are not movements. */
export const paymentMovements = (
  wallet: BitcoinAddress,
  { fee, outputs }: BitcoinPreview,
  { usd }: QuotedPrices
): ReadonlyArray<Movement> => {
  const outgoingMovement = (fields: Pick<ExpectedMovement, "amount" | "counterparty" | "role">): ExpectedMovement => ({
    direction: "OUT",
    account: wallet,
    token: bitcoinToken,
    ...fields
  })
  return expectedMovements(
    [
      ...outputs
        .filter(({ address, role }) => role !== "CHANGE" && address !== wallet)
        .map(({ address, role, value }) =>
          outgoingMovement({ role: role === "RECEIVER" ? "PRINCIPAL" : "FEE", amount: value, counterparty: address })
        ),
      outgoingMovement({ role: "GAS", amount: fee, counterparty: null })
    ],
    usd
  )
}
