import { createHash, randomBytes } from "node:crypto"
import { brCodeText } from "@countersign/core/fiat"
import { EvmChainId } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import { Predicate, Schema } from "effect"
import type { Fields } from "../bank/BankCustomers.ts"
import { BankError } from "../bank/BankError.ts"
import { chains } from "./bridgeTerms.ts"
import { idOf } from "./idOf.ts"

export const BridgeState = Schema.Literals([
  "awaiting_funds",
  "in_review",
  "funds_received",
  "payment_submitted",
  "payment_processed",
  "undeliverable",
  "returned",
  "refunded",
  "canceled",
  "error"
])
export type BridgeState = typeof BridgeState.Type

const TransferParty = Schema.Record(Schema.String, Schema.Unknown)

/** A transfer as `GET /v0/transfers/{id}` returns it. */
export const BridgeTransfer = Schema.Struct({
  id: Schema.String,
  on_behalf_of: Schema.String,
  client_reference_id: Schema.String,
  /** Decimal amount of the source currency; null for a flexible amount. */
  amount: Schema.NullOr(Schema.String),
  source: TransferParty,
  destination: TransferParty,
  source_deposit_instructions: TransferParty,
  state: Schema.mutableKey(BridgeState),
  receipt: Schema.mutableKey(Schema.Record(Schema.String, Schema.String))
})
export type BridgeTransfer = typeof BridgeTransfer.Type

const bankInstructions = (currency: unknown, rail: unknown): Fields => {
  const deposit_message = `BRG${randomBytes(6).toString("hex").toUpperCase()}`
  if (currency === "mxn") return { clabe: "032180000118359719", account_holder_name: "Bridge", deposit_message }
  if (currency === "brl") {
    const pixKey = "123e4567-e12b-12d1-a456-426655440000"
    const code = { pixKey, merchantName: "Bridge", merchantCity: "SAO PAULO", amount: null, txid: "BRG1" }
    return { br_code: brCodeText(code), account_holder_name: "Bridge", deposit_message }
  }
  return {
    payment_rail: rail,
    bank_name: "Lead Bank",
    bank_address: "1801 Main St., Kansas City, MO 64108",
    bank_routing_number: "101019644",
    bank_account_number: "215268129123",
    bank_beneficiary_name: "Bridge Ventures Inc",
    bank_beneficiary_address: "923 Folsom Street, San Francisco, CA 94107",
    deposit_message
  }
}

/** Returns a deposit address per withdrawal, so that an incoming payment identifies its transfer. */
const receivingAddress = (id: string): Address =>
  Address.make(`0xb41d9e${createHash("sha256").update(id).digest("hex").slice(0, 34)}`)

export const isDeposit = ({ destination }: Pick<BridgeTransfer, "destination">): boolean =>
  typeof destination.to_address === "string"

export const transferOf = (body: Fields): BridgeTransfer => {
  const { amount = null, client_reference_id, destination, features, on_behalf_of, source } = body
  if (!Predicate.isObject(source) || !Predicate.isObject(destination))
    throw new BankError("missing source or destination")
  const isFlexible = Predicate.isObject(features) && (features as Fields).flexible_amount === true
  if (amount === null && !isFlexible) throw new BankError("missing amount")
  const id = idOf("transfer")
  const sourceFields = source as Fields
  const sides = { source: sourceFields, destination: destination as Fields }
  const instructions = isDeposit(sides)
    ? { currency: sourceFields.currency, ...bankInstructions(sourceFields.currency, sourceFields.payment_rail) }
    : {
        payment_rail: sourceFields.payment_rail,
        amount,
        currency: sourceFields.currency,
        from_address: sourceFields.from_address,
        to_address: receivingAddress(id)
      }
  return {
    id,
    on_behalf_of: String(on_behalf_of),
    client_reference_id: String(client_reference_id),
    amount: amount === null ? null : String(amount),
    ...sides,
    source_deposit_instructions: instructions,
    state: "awaiting_funds",
    receipt: amount === null ? {} : { initial_amount: String(amount) }
  }
}

const decodeChain = Schema.decodeUnknownSync(EvmChainId)

/** Returns the chain and the receiver of a transfer's tokens: the wallet for a deposit, Bridge for a withdrawal. */
export const tokenReceiverOf = (transfer: BridgeTransfer): { readonly chainId: EvmChainId; readonly to: Address } => {
  const isIncoming = isDeposit(transfer)
  const rail = String((isIncoming ? transfer.destination : transfer.source).payment_rail)
  const to = isIncoming ? transfer.destination.to_address : transfer.source_deposit_instructions.to_address
  return { chainId: decodeChain(chains[rail]), to: Address.make(String(to).toLowerCase()) }
}

/** Returns the fiat currency of a transfer. */
export const bankCurrency = (transfer: BridgeTransfer): string =>
  String((isDeposit(transfer) ? transfer.source : transfer.destination).currency)
