import {
  type DepositInstructions,
  FiatDirection,
  FiatMethod,
  type FiatOrder,
  type FiatOrderState,
  type FiatReport,
  type FiatRoute,
  pixKeyOfBrCode
} from "@countersign/core/fiat"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Hash32 } from "@countersign/core/foundation/primitives"
import { currencyDigits } from "@countersign/core/foundation/tokens"
import { Option, Schema } from "effect"
import { unitsRoundingDown } from "./bridgeAmounts.ts"
import type { TransferBody } from "./bridgeBodies.ts"

/** Bridge's names of the supported chains. */
export const chainRail: { readonly [ChainId in EvmChainId]?: string } = {
  1: "ethereum",
  10: "optimism",
  137: "polygon",
  8453: "base",
  42161: "arbitrum",
  43114: "avalanche_c_chain"
}

/** Bridge's names of the payment methods. Incoming payments have other names than outgoing ones. */
export const methodRail: {
  readonly [Direction in FiatDirection]: { readonly [Method in FiatMethod]?: string }
} = {
  DEPOSIT: { ACH: "ach_push", WIRE: "wire", SPEI: "spei", PIX: "pix" },
  WITHDRAWAL: { ACH: "ach", WIRE: "wire", SPEI: "spei", PIX: "pix" }
}

/** The endorsement that a customer needs for a currency, in addition to the verification. */
export const endorsementOf: Readonly<Record<string, string>> = { USD: "base", MXN: "spei", BRL: "pix" }

export const routes: ReadonlyArray<FiatRoute> = FiatDirection.literals.flatMap((direction) =>
  FiatMethod.literals
    .filter((method) => methodRail[direction][method] !== undefined)
    .map((method) => ({ direction, method, symbols: ["USDC"], chainIds: [1, 10, 137, 8453, 42161, 43114] }))
)

/** Splits Bridge's single line into name and address, at the first comma. */
const partyOf = (name: string | null | undefined, address: string | null | undefined) => {
  const [addressLine1 = "", ...others] = (address ?? "").split(",")
  return { name: name ?? "", addressLine1: addressLine1.trim(), addressLine2: others.join(",").trim() }
}

/**
 * Builds the payment instructions. Null if the response lacks required data, or contains a code that banks would
 * reject.
 */
export const instructionsOrNull = (
  { source_deposit_instructions: bank }: TransferBody,
  { expiresAt, quote: { method } }: FiatOrder
): DepositInstructions | null => {
  const memoCode = bank?.deposit_message ?? null
  const beneficiary = bank?.account_holder_name ?? null
  switch (method) {
    case "ACH":
    case "WIRE":
      return bank?.bank_routing_number == null || bank.bank_account_number == null || memoCode === null
        ? null
        : {
            type: method,
            routingNumber: bank.bank_routing_number,
            accountNumber: bank.bank_account_number,
            accountType: "CHECKING",
            beneficiary: partyOf(bank.bank_beneficiary_name, bank.bank_beneficiary_address),
            receivingBank: partyOf(bank.bank_name, bank.bank_address),
            memoCode
          }
    case "PIX": {
      const brCode = bank?.br_code ?? null
      const pixKey = brCode === null ? undefined : pixKeyOfBrCode(brCode)
      return brCode === null || pixKey === undefined ? null : { type: "PIX", pixKey, brCode, expiresAt, memoCode }
    }
    case "SPEI":
      return bank?.clabe == null
        ? null
        : { type: "SPEI", clabe: bank.clabe, beneficiary, reference: memoCode, memoCode }
    case "TRANSFERS":
      return null
  }
}

const hashOrNull = (text: string | null | undefined): Hash32 | null =>
  Option.getOrNull(Schema.decodeUnknownOption(Hash32)(text?.toLowerCase()))

type BridgeState = readonly [state: FiatOrderState, reason: string | null]

/**
 * Converts Bridge's states. For a refunded withdrawal Bridge returns the tokens to the address in the account's return
 * policy, which its API does not return.
 */
const stateOf = (state: TransferBody["state"], direction: FiatDirection): BridgeState => {
  const isDeposit = direction === "DEPOSIT"
  switch (state) {
    case "awaiting_funds":
      return ["AWAITING_FUNDS", null]
    case "funds_received":
      return ["FUNDS_RECEIVED", null]
    case "payment_submitted":
      return ["PROCESSING", null]
    case "payment_processed":
      return ["COMPLETED", null]
    case "in_review":
      return ["IN_REVIEW", "Bridge is reviewing the order"]
    case "undeliverable":
      return ["IN_REVIEW", "Bridge could not deliver the payment and is holding the funds"]
    case "returned":
      return ["IN_REVIEW", "The payment was returned to Bridge, which will refund it"]
    case "missing_return_policy":
      return ["IN_REVIEW", "Bridge must return the tokens, but the account has no return policy"]
    case "refunded":
      return isDeposit
        ? ["REFUNDED", "Bridge refunded the payer"]
        : ["RETURNED", "Bridge refunded the tokens according to the account's return policy"]
    case "canceled":
      return [isDeposit ? "CANCELLED" : "FAILED", "Bridge cancelled the transfer"]
    case "error":
      return ["FAILED", "Bridge reports that the transfer failed"]
  }
}

/**
 * Returns the amount that Bridge received for a deposit, or the final amount of a withdrawal; null while it is unknown.
 */
const fiatAmountOf = ({ receipt, state }: TransferBody, direction: FiatDirection, currency: string): bigint | null => {
  const decimal = direction === "DEPOSIT" ? receipt?.initial_amount : receipt?.final_amount
  const isKnown = direction === "DEPOSIT" ? state !== "awaiting_funds" : state === "payment_processed"
  return decimal == null || !isKnown ? null : unitsRoundingDown(decimal, currencyDigits(currency))
}

export const transferReport = (
  transfer: TransferBody,
  { currency, direction }: { readonly currency: string; readonly direction: FiatDirection }
): FiatReport => {
  const [state, reason] = stateOf(transfer.state, direction)
  const { receipt } = transfer
  return {
    state,
    transactionHash: hashOrNull(direction === "DEPOSIT" ? receipt?.destination_tx_hash : receipt?.source_tx_hash),
    returnHash: state === "RETURNED" ? "UNNAMED" : null,
    fiatAmount: fiatAmountOf(transfer, direction, currency),
    reason
  }
}
